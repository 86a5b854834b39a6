import { parseArgs } from 'node:util';
import { COMMAND } from './provenance.ts';

/** The task that the arguments of `npm run release` choose. */
export type ReleaseTask =
  | { readonly kind: 'make'; readonly mayBeDirty: boolean }
  | { readonly kind: 'verify'; readonly folder: string };

/** Wrong arguments. The message says which are right. */
export class UsageError extends Error {}

const NOT_PUBLISHED = `Publishing is not supported. Run "${COMMAND}", and then hand out the files of dist/release, as docs/develop/releasing.md describes.`;

/**
 * Reads the arguments of `npm run release`.
 *
 * @throws UsageError
 */
export function parseOptions(args: readonly string[]): ReleaseTask {
  const values = read(args);
  if (values.verify !== undefined) {
    if (values['dry-run'] || values['allow-dirty']) throw new UsageError('--verify takes no other option');
    return { kind: 'verify', folder: values.verify };
  }
  if (!values['dry-run']) throw new UsageError(NOT_PUBLISHED);
  return { kind: 'make', mayBeDirty: values['allow-dirty'] };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'dry-run': { type: 'boolean', default: false },
        'allow-dirty': { type: 'boolean', default: false },
        verify: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message}. The options are --dry-run, --allow-dirty, and --verify FOLDER.`,
    );
  }
}
