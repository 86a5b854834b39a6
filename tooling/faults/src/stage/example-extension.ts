import type { Settings } from './node.ts';
import { sabotage } from './sabotage.ts';

const EXAMPLE = new URL('../../../shift-notes/src/index.ts', import.meta.url).href;
const LIST = 'export const EXTENSIONS: readonly Extension[] = [';

/** The settings of a server that has the example beside the extensions of the installation, by an edit of its sources. */
export const withExample = (): Settings =>
  sabotage({
    file: 'packages/extensions/src/index.ts',
    find: LIST,
    replace: `import { shiftNotes as example } from '${EXAMPLE}';\n${LIST}example, `,
  });
