import { authorized, PRUNE_AUDIT } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import { eventBy, eventOf } from '../event-by.ts';
import type { ExportAnchor } from './audit-seal.ts';
import { findSeal } from './list-seals.ts';
import { prunedMacOf } from './make-seal.ts';
import { openSealKey, type SealKeyPorts } from './seal-key.ts';
import { readRows } from './sealed-rows.ts';
import { isSealGenuine, isWhole } from './verify-seal.ts';

/**
 * Deletes the events of the oldest seal that is not pruned yet. `exported` is the last seal of an export that has these
 * events. Call this function again while it returns `more: true`. The events must be unchanged since they were sealed.
 * The seal stays, so that the log can still be verified. Refuses while a reaction has not addressed an event of the
 * seal.
 */
export const pruneAuditEvents = authorized(
  PRUNE_AUDIT,
  (ports: SealKeyPorts & Ports<'clock' | 'reactions'>) => {
    const { auditSeals, clock, reactions } = ports;

    return async (caller, exported: ExportAnchor) => {
      if (!(await findSeal(auditSeals, exported))) return err({ code: 'audit_anchor_unknown' });
      const [seal] = await auditSeals.list({ after: 0, limit: 1, unpruned: true });
      if (seal === undefined || seal.last > exported.last) return ok({ pruned: 0, more: false });
      const behind = (await reactions.list()).find(({ position }) => position < seal.last);
      if (behind) {
        const { name: reaction, position } = behind;
        return err({ code: 'audit_reactions_behind', reaction, position, last: seal.last });
      }

      const key = await openSealKey(ports);
      if (!key.ok) return key;
      const { first, last } = seal;
      const isGenuine = isSealGenuine(key.value, seal);
      // This error does not list the events that differ, but `verifyAuditLog` lists them.
      if (!isGenuine || !isWhole(key.value, seal, await readRows(auditSeals, seal)))
        return err({ code: 'audit_log_damaged', first, last });
      const at = clock.now();
      const event = eventOf(at, 'audit.pruned', { id: `${first}-${last}` }, { first, last });
      await auditSeals.prune(last, { at, mac: prunedMacOf(key.value, seal, at) }, eventBy(caller, event));
      return ok({ pruned: last - first + 1, more: last < exported.last });
    };
  },
);
