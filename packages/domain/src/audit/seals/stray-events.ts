import type { AuditFindings } from './audit-findings.ts';
import type { AuditSeal } from './audit-seal.ts';
import type { AuditSeals, UnsealedEvents } from './audit-seals.ts';
import { includes, without } from './id-ranges.ts';

/** Maximum number of ids per look-up: more than are committed late at once. */
const LIMIT = 100_000;

/** Finds events that are in no seal, while seals are read in order. */
export function createStrayEvents(auditSeals: Pick<AuditSeals, 'findIds'>) {
  /** Ids of events in no seal so far: inserted, or committed late and part of a later seal. */
  const strays = new Set<string>();
  let through = Number.MIN_SAFE_INTEGER - 1;

  return {
    through: () => through,

    /** Looks for events between the events of these seals. */
    async pass(seals: readonly { readonly seal: AuditSeal; readonly isGenuine: boolean }[]): Promise<void> {
      const genuine = seals.filter(({ isGenuine }) => isGenuine);
      const to = Math.max(through, ...genuine.map(({ seal }) => seal.throughId));
      const taken = seals.flatMap(({ seal }) => seal.ids);
      for (const id of strays) if (includes(taken, Number(id))) strays.delete(id);
      const between = without(through + 1, to, taken);
      for (const id of between.length > 0 ? await auditSeals.findIds(between, LIMIT) : []) strays.add(id);
      through = to;
    },

    /** Reports the events that are in no seal and were not committed late. */
    report({ late }: UnsealedEvents, findings: AuditFindings): void {
      for (const id of strays) {
        if (!includes(late, Number(id))) findings.add({ kind: 'event_inserted', id });
      }
    },
  };
}
