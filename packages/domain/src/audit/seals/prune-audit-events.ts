import { authorized, PRUNE_AUDIT } from '../../access/index.ts';
import type { Ports } from '../../ports.ts';
import { err, ok } from '../../result.ts';
import { eventBy, eventOf } from '../event-by.ts';
import type { AuditSeal } from './audit-seal.ts';
import { type ExportAnchor, isAnchor } from './export-audit-events.ts';
import { hashesOf, prunedMacOf } from './make-seal.ts';
import { rememberSealKey, type SealKeyPorts } from './seal-key.ts';
import { readRows } from './sealed-rows.ts';
import { isSealGenuine } from './verify-seal.ts';

/** The log does not have these events as they were sealed; `verifyAuditLog` names them. Nothing was deleted. */
export interface AuditLogDamaged {
  readonly code: 'audit_log_damaged';
  readonly first: number;
  readonly last: number;
}

/**
 * Deletes the oldest sealed events, as many as one seal has, if they are up to the end of an export; call it again while
 * there is `more`. They must be as they were sealed. The seal stays, so that the log can still be verified.
 */
export const pruneAuditEvents = authorized(PRUNE_AUDIT, (ports: SealKeyPorts & Ports<'clock'>) => {
  const { auditSeals, sealCryptography, clock } = ports;
  const openKey = rememberSealKey(ports);

  return async (caller, exported: ExportAnchor) => {
    if (!(await isAnchor(auditSeals, exported))) return err({ code: 'audit_anchor_unknown' });
    const [seal] = await auditSeals.list({ after: 0, limit: 1, unpruned: true });
    if (seal === undefined || seal.last > exported.last) return ok({ pruned: 0, more: false });

    const key = await openKey();
    if (!key.ok) return key;
    if (!isSealGenuine(key.value, seal) || !(await isWhole(seal))) {
      const { first, last } = seal;
      return err({ code: 'audit_log_damaged', first, last } satisfies AuditLogDamaged);
    }
    const at = clock.now();
    const { first, last } = seal;
    const event = eventOf(at, 'audit.pruned', { id: `${first}-${last}` }, { first, last });
    await auditSeals.prune(last, { at, mac: prunedMacOf(key.value, seal, at) }, eventBy(caller, event));
    return ok({ pruned: last - first + 1, more: last < exported.last });
  };

  async function isWhole(seal: AuditSeal): Promise<boolean> {
    const lines = (await readRows(auditSeals, seal)).flatMap(({ line }) => line ?? []);
    return hashesOf(sealCryptography, lines).digest === seal.digest;
  }
});
