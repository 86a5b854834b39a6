import type { ShellName } from './shells.ts';

/** The hidden command that the scripts of shells call. */
export const COMPLETE = '__complete';

/**
 * Returns the words before the word at the cursor, from the arguments of `__complete`. Undefined for any other command.
 */
export async function wordsBeforeCursor(args: readonly string[]): Promise<readonly string[] | undefined> {
  const [command, name = ''] = args;
  if (command !== COMPLETE) return undefined;
  const { SHELLS } = await import('./shells.ts');
  if (!Object.hasOwn(SHELLS, name)) return undefined;
  return SHELLS[name as ShellName].read(args.slice(args.indexOf('--') + 1)).before;
}
