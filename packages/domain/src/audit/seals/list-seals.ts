import type { AuditSeal, ExportAnchor } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';
import type { Sealing } from './make-seal.ts';
import { isSealGenuine } from './verify-seal.ts';

/** The number of seals that are read at a time: few enough to keep in memory. */
const PAGE = 100;

/**
 * Yields the seals after the position `after` of the audit log, in pages. A page is read when the caller asks for it.
 * No page is empty.
 */
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

/**
 * Returns the seal of the log with this last position and MAC; undefined if the log has another seal there. The seal
 * may be forged.
 */
export async function findSeal(seals: Pick<AuditSeals, 'list'>, { last, mac }: ExportAnchor) {
  const [seal] = await seals.list({ after: last - 1, limit: 1 });
  return seal?.last === last && seal.mac === mac ? seal : undefined;
}

/**
 * Returns the seal of the log with this last position and MAC; undefined if the seal is forged, or the log has another
 * seal there.
 */
export async function findSameSeal(seals: Pick<AuditSeals, 'list'>, sealing: Sealing, end: ExportAnchor) {
  const seal = await findSeal(seals, end);
  return seal && isSealGenuine(sealing, seal) ? seal : undefined;
}
