import type { FileHandle } from 'node:fs/promises';
import type { ExportedSeal } from '@gatehouse/domain/audit';
import { CommandError, Interrupted } from '../../errors/command-error.ts';

/** Writes text. Resolves with false if the reader has closed the output. */
export type Put = (text: string) => Promise<boolean>;

export const toFile =
  (file: FileHandle): Put =>
  async (text) => {
    await file.appendFile(text);
    return true;
  };

/**
 * Writes the lines of the seals, each after the lines of its events.
 *
 * @param say is called with the position of the last event that was written
 * @returns how many events were written, the last seal, and the seals that their events do not match
 */
export async function writeSeals(
  signal: AbortSignal,
  seals: AsyncIterable<ExportedSeal>,
  put: Put,
  say: (position: number) => void,
) {
  let events = 0;
  let end: ExportedSeal['seal'] | undefined;
  const damaged: ExportedSeal['seal'][] = [];
  for await (const { lines, seal, damaged: isDamaged } of seals) {
    if (signal.aborted) throw new Interrupted();
    if (!(await put(lines.map((line) => `${line}\n`).join('')))) break;
    events += lines.length - 1;
    end = seal;
    if (isDamaged) damaged.push(seal);
    say(seal.last);
  }
  return { events, end, damaged };
}

/** @throws CommandError with status 6 if seals are damaged */
export function refuseDamaged(damaged: readonly ExportedSeal['seal'][]): void {
  if (damaged.length === 0) return;
  const ranges = damaged.slice(0, 20).map(({ first, last }) => `${first} to ${last}`);
  const more = damaged.length > 20 ? ', and more' : '';
  throw new CommandError(
    'someFailed',
    `The events at these positions do not match their seals: ${ranges.join(', ')}${more}. \`gatehouse audit verify\` lists the differences.`,
  );
}
