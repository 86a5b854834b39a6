import type { AuditSeal } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';

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
