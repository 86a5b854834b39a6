import type { Edit } from '@gatehouse/mutations';
import type { Settings } from './node.ts';
import { sabotage } from './sabotage.ts';

const EXAMPLE = new URL('../../../../shift-notes/src/index.ts', import.meta.url);
const LIST = 'export const EXTENSIONS: readonly Extension[] = [';

/** An extension for a process: its module, and the name of its export. */
export interface RegisteredModule {
  readonly module: URL;
  readonly name: string;
}

export const THE_EXAMPLE: RegisteredModule = { module: EXAMPLE, name: 'shiftNotes' };

/** The edit that adds these extensions to those of the installation in a process. */
export function registering(...extensions: readonly RegisteredModule[]): Edit {
  const imports = extensions.map(
    ({ module, name }) => `import { ${name} as its_${name} } from '${module}';\n`,
  );
  const names = extensions.map(({ name }) => `its_${name}, `);
  return {
    file: 'packages/extensions/src/index.ts',
    find: LIST,
    replace: `${imports.join('')}${LIST}${names.join('')}`,
  };
}

/**
 * The settings of a server that has the example in addition to the extensions of the installation, by an edit of its
 * sources.
 */
export const withExample = (): Settings => sabotage(registering(THE_EXAMPLE));
