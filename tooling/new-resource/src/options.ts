import { parseArgs } from 'node:util';
import { type Names, pluralOf } from './names.ts';
import { problemOfSpelling } from './problems.ts';

export const USAGE = `npm run new -- NAME --belongs-to organization [--plural NAMES] [--dry-run]

Makes a package for a resource of your own, such as work-order, and registers it.

  --belongs-to PARENT  what each of them belongs to: organization
  --plural NAMES       the name of several, if it is irregular, such as people
  --dry-run print what would be made, and write nothing`;

/** An expected refusal. The message says what is wrong, and how to correct it. */
export class RefusedError extends Error {}

export interface Options {
  readonly names: Names;
  readonly dryRun: boolean;
}

/**
 * Parses the arguments; undefined if they ask for help.
 *
 * @throws RefusedError
 */
export function parseOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parsed(args);
  if (values.help) return undefined;
  const [one, ...others] = positionals;
  if (one === undefined || others.length > 0) {
    throw new RefusedError(`Name one resource, such as: npm run new -- work-order --belongs-to organization`);
  }
  const parent = values['belongs-to'];
  if (parent !== 'organization') {
    const said =
      parent === undefined ? 'Say what it belongs to' : `It cannot belong to ${JSON.stringify(parent)}`;
    throw new RefusedError(`${said}: organization is the only parent there is, --belongs-to organization.`);
  }
  const misspelled = problemOfSpelling(one) ?? (values.plural && problemOfSpelling(values.plural));
  if (misspelled) throw new RefusedError(misspelled);
  if (values.plural === undefined && /[^s]s$/.test(one)) {
    throw new RefusedError(
      `Is ${one} one or several? Name one, such as ${one.slice(0, -1)}, or say the plural: --plural ${pluralOf(one)}`,
    );
  }
  return { names: { one, several: values.plural ?? pluralOf(one) }, dryRun: values['dry-run'] };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'belongs-to': { type: 'string' },
        plural: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
  } catch (error) {
    throw new RefusedError(`${(error as Error).message}\n\n${USAGE}`);
  }
}
