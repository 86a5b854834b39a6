import type { AuditSeal } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';
import type { Sealing } from './make-seal.ts';
import { isSealGenuine } from './verify-seal.ts';

/** Few enough to be held at once. */
const PAGE = 100;

/** Reads the seals of the positions after this one, page after page as they are asked for; no page is empty. */
export async function* sealsAfter(
  seals: Pick<AuditSeals, 'list'>,
  after: number,
  { unpruned = false } = {},
): AsyncGenerator<readonly AuditSeal[]> {
  for (let last = after; ; ) {
    const page = await seals.list({ after: last, limit: PAGE, unpruned });
    if (page.length === 0) return;
    yield page;
    last = page.at(-1)?.last ?? last;
  }
}

/** Returns the log's seal with this end and MAC; undefined if it has another one there, or one that is not genuine. */
export async function findSameSeal(
  seals: Pick<AuditSeals, 'list'>,
  sealing: Sealing,
  { last, mac }: { readonly last: number; readonly mac: string },
): Promise<AuditSeal | undefined> {
  const [seal] = await seals.list({ after: last - 1, limit: 1 });
  return seal?.last === last && seal.mac === mac && isSealGenuine(sealing, seal) ? seal : undefined;
}
