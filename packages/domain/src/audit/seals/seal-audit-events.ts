import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import { makeSeal } from './make-seal.ts';
import { type CreateSealKeyPorts, createSealKey, openSealKey } from './seal-key.ts';

/** Events per seal: few enough that sealing does not delay the requests of a server. */
const BATCH = 500;

export type SealPorts = CreateSealKeyPorts & Ports<'clock'>;

/**
 * Seals one batch of committed events. Call this function again while it returns `more: true`. The first call creates
 * the seal key. Servers seal from time to time, and commands seal before they read seals.
 */
export function sealAuditEvents(ports: SealPorts) {
  const { auditSeals, clock } = ports;
  return async () => {
    let key = await openSealKey(ports);
    if (!key.ok && key.error.code === 'audit_not_sealed') {
      const created = await createSealKey(ports);
      if (!created.ok) return created;
      key = await openSealKey(ports);
    }
    if (!key.ok) return key;
    const sealing = key.value;
    const sealed = await auditSeals.sealNext(BATCH, (batch) => makeSeal(sealing, batch, clock.now()));
    return ok({ sealed, more: sealed === BATCH });
  };
}
