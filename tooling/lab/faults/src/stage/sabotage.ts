import type { Edit } from '@gatehouse/mutations';
import type { Settings } from './node.ts';

const HOOK = new URL('edited-sources.ts', import.meta.url).href;

/**
 * The settings of a server whose protection is taken out, for a sabotage twin: it loads its sources with these edits.
 * A file is named by the end of its path.
 */
export const sabotage = (...edits: readonly Edit[]): Settings => ({
  NODE_OPTIONS: `--import=${HOOK}`,
  SABOTAGE: JSON.stringify(edits),
});
