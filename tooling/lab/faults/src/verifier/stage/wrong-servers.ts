import { sabotage } from '../../stage/sabotage.ts';

/** The settings of a server that breaks a promise of its stream, for the sabotage twins. */

/** A new stream says that it tells the last seconds again, and does not. */
export const REPLAYS_NOTHING = sabotage({
  file: '/token-changes/src/token-changes.ts',
  find: 'for (const line of lines) stream.changed(',
  replace: 'for (const line of lines.slice(lines.length)) stream.changed(',
});
