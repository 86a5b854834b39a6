import { authorized, REAPPLY_AUDIT } from '../../access/index.ts';
import { err, ok } from '../../result.ts';
import { rememberSealKey, type SealKeyPorts } from '../seals/seal-key.ts';
import { type ExportNotGenuine, genuineBatches, NotGenuine } from './exported-batches.ts';
import { findLostChanges, type LostChange, type LostChanges } from './lost-changes.ts';
import { makeChangeAgain, type Reapplied, type ReapplyPorts } from './make-change-again.ts';

/** A change, and what became of it. */
export interface ReappliedChange {
  readonly change: LostChange;
  readonly outcome: Reapplied;
}

/** What an export has and the log has not, and what can be done about it. */
export interface Reapplication extends LostChanges {
  /** Makes the changes again, one after the other as they are asked for. */
  readonly reapply: () => AsyncGenerator<ReappliedChange>;
}

/**
 * Finds what an export has and this log has not, as after the restore of a backup: revocations, disabled users, suspended
 * accounts and retired keys can be made again, and a second time changes nothing. Every line must be as it was sealed,
 * by the seal key of this database.
 */
export const reapplyAuditEvents = authorized(REAPPLY_AUDIT, (ports: SealKeyPorts & ReapplyPorts) => {
  const openKey = rememberSealKey(ports);
  return async (caller, { exported }: { readonly exported: AsyncIterable<string> }) => {
    const key = await openKey();
    if (!key.ok) return key;
    try {
      const lost = await findLostChanges(genuineBatches(exported, key.value), ports.auditSeals, key.value);
      const make = makeChangeAgain(ports, caller);
      async function* reapply() {
        for (const change of lost.changes) yield { change, outcome: await make(change) };
      }
      return ok({ ...lost, reapply } satisfies Reapplication);
    } catch (error) {
      if (!(error instanceof NotGenuine)) throw error;
      return err({ code: 'export_not_genuine', line: error.line } satisfies ExportNotGenuine);
    }
  };
});
