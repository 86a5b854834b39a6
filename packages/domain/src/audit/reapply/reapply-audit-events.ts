import { authorized, REAPPLY_AUDIT } from '../../access/index.ts';
import { err, ok } from '../../result.ts';
import type { Sealing } from '../seals/make-seal.ts';
import { rememberSealKey, type SealKeyPorts } from '../seals/seal-key.ts';
import { type CheckedBatch, checkedBatches, type ExportProblem } from './checked-batches.ts';
import { findLostChanges, type LostChange, type LostChanges } from './lost-changes.ts';
import { makeChangeAgain, type Reapplied, type ReapplyPorts } from './make-change-again.ts';

/** A change, and what became of it. */
export interface ReappliedChange {
  readonly change: LostChange;
  readonly outcome: Reapplied;
}

/** What an export has and the log has not, and what can be done about it. */
export interface Reapplication extends LostChanges {
  /** Lines that were left out, and events that are missing; at most a thousand, and none unless it may be `partial`. */
  readonly problems: readonly ExportProblem[];
  /** Makes the changes again, one after the other as they are asked for. */
  readonly reapply: () => AsyncGenerator<ReappliedChange>;
}

/** No event of this database was ever sealed, so that it cannot tell whether an export is genuine. */
export type BackupNotSealed = { readonly code: 'backup_not_sealed' };

/** The export does not have a seal that is known from elsewhere: it was cut before it, or is of another log. */
export interface ExportLacksAnchor {
  readonly code: 'export_lacks_anchor';
  readonly anchor: number;
  /** The position at which the export ends. */
  readonly ends: number;
}

const KEPT_PROBLEMS = 1000;

interface ReapplyAuditEventsInput {
  readonly exported: AsyncIterable<string>;
  /** The end of a seal that the export must have, from a line that was kept elsewhere. */
  readonly anchor?: { readonly last: number; readonly mac: string } | undefined;
  /** Whether to make again what is proven although something is missing or not genuine. Default: false. */
  readonly partial?: boolean;
}

/** Ends the reading; its caller returns the problem. */
class ProblemFound extends Error {
  readonly problem: ExportProblem;

  constructor(problem: ExportProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/**
 * Finds what an export has and this log has not, as after the restore of a backup: revocations, disabled users, suspended
 * accounts and retired keys can be made again, and a second time changes nothing. Every line must be as it was sealed, by
 * the seal key of this database, and none may be missing after what the log has. The end of the export is the exception:
 * where it was cut after a seal is known only by an anchor.
 */
export const reapplyAuditEvents = authorized(REAPPLY_AUDIT, (ports: SealKeyPorts & ReapplyPorts) => {
  const { auditSeals } = ports;
  const openKey = rememberSealKey(ports);
  return async (caller, { exported, anchor, partial = false }: ReapplyAuditEventsInput) => {
    const key = await openKey();
    if (!key.ok) {
      return key.error.code === 'audit_not_sealed'
        ? err({ code: 'backup_not_sealed' } satisfies BackupNotSealed)
        : err(key.error);
    }
    const problems: ExportProblem[] = [];
    let hasAnchor = anchor === undefined;

    async function* proven(sealing: Sealing): AsyncGenerator<CheckedBatch> {
      for await (const each of checkedBatches(exported, auditSeals, sealing)) {
        if ('kind' in each) {
          hasAnchor ||= each.seal.last === anchor?.last && each.seal.mac === anchor.mac;
          yield each;
        } else if (partial) problems.push(...(problems.length < KEPT_PROBLEMS ? [each] : []));
        else throw new ProblemFound(each);
      }
    }

    try {
      const lost = await findLostChanges(proven(key.value), auditSeals, key.value);
      if (anchor && !hasAnchor) {
        const ends = lost.ends?.position ?? 0;
        return err({ code: 'export_lacks_anchor', anchor: anchor.last, ends } satisfies ExportLacksAnchor);
      }
      const make = makeChangeAgain(ports, caller);
      async function* reapply() {
        for (const change of lost.changes) yield { change, outcome: await make(change) };
      }
      return ok({ ...lost, problems, reapply } satisfies Reapplication);
    } catch (error) {
      if (!(error instanceof ProblemFound)) throw error;
      return err(error.problem);
    }
  };
});
