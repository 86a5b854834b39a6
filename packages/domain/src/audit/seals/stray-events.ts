import type { AuditFindings } from './audit-findings.ts';
import type { AuditSeal } from './audit-seal.ts';
import type { AuditSeals, UnsealedEvents } from './audit-seals.ts';
import { includes, without } from './id-ranges.ts';

/** The ids that one look-up returns: more than are committed late at once. */
const LIMIT = 100_000;

/** Finds the events that no seal has, while seals are read in order. */
export function createStrayEvents(auditSeals: Pick<AuditSeals, 'findIds'>) {
  /** In no seal so far: inserted, or committed late and in a later seal. */
  const strays = new Set<string>();
  let through = Number.MIN_SAFE_INTEGER - 1;

  return {
    through: () => through,

    /** Looks for events between those of these seals. */
    async pass(seals: readonly { readonly seal: AuditSeal; readonly isGenuine: boolean }[]): Promise<void> {
      const to = Math.max(
        through,
        ...seals.map(({ seal, isGenuine }) => (isGenuine ? seal.throughId : through)),
      );
      const taken = seals.flatMap(({ seal }) => seal.ids);
      for (const id of strays) if (includes(taken, Number(id))) strays.delete(id);
      const between = without(through + 1, to, taken);
      for (const id of between.length > 0 ? await auditSeals.findIds(between, LIMIT) : []) strays.add(id);
      through = to;
    },

    /** Reports those that are in no seal and cannot be committed late. */
    report({ late }: UnsealedEvents, findings: AuditFindings): void {
      for (const id of strays) {
        if (!includes(late, Number(id))) findings.add({ kind: 'event_inserted', id });
      }
    },
  };
}
