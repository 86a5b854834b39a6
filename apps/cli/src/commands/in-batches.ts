import type { DomainError, Result } from '@gatehouse/domain';
import type { Tools } from '../described/description.ts';
import { Interrupted } from '../errors/command-error.ts';
import { unwrap } from '../errors/refusals.ts';
import { write } from '../output/write.ts';

interface Messages {
  /** Shown while the command deletes items, such as `Deleting events`. */
  readonly doing: string;
  /** Returns a sentence that says how many items were deleted. */
  done(total: number): string;
  /** The sentence that explains how to delete the rest, after an error or an interrupt. */
  readonly again: string;
}

/**
 * Deletes one batch after another, each in its own transaction, so that an interrupt leaves no batch half deleted.
 * Prints and returns the number of deleted items.
 */
export async function deleteInBatches(
  { cli: { signal, streams }, printer }: Tools,
  { doing, done, again }: Messages,
  next: () => Promise<Result<{ readonly pruned: number; readonly more: boolean }, DomainError>>,
): Promise<number> {
  let total = 0;
  await printer.progress(doing, async (say) => {
    try {
      for (let more = true; more; say(`${doing}: ${total} done`)) {
        if (signal.aborted) throw new Interrupted();
        const batch = unwrap(await next());
        total += batch.pruned;
        more = batch.more;
      }
    } catch (error) {
      await write(streams.stderr, `${done(total)} ${again}\n`).catch(() => undefined);
      throw error;
    }
  });
  await printer.note(done(total));
  return total;
}
