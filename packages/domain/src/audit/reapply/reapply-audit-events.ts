import { authorized, REAPPLY_AUDIT } from '../../access/index.ts';
import { err, ok } from '../../result.ts';
import type { ExportAnchor } from '../seals/audit-seal.ts';
import type { Sealing } from '../seals/make-seal.ts';
import { openSealKey, type SealKeyPorts } from '../seals/seal-key.ts';
import { type CheckedBatch, checkedBatches, type ExportProblem } from './checked-batches.ts';
import { findLostChanges, type LostChange, type LostChanges } from './lost-changes.ts';
import { makeChangeAgain, type Reapplied, type ReapplyPorts } from './make-change-again.ts';

/** A change, and the outcome of making it again. */
export interface ReappliedChange {
  readonly change: LostChange;
  readonly outcome: Reapplied;
}

/** The changes that are in an export but not in the log, and a function that makes them again. */
interface Reapplication extends LostChanges {
  /**
   * The problems of the export, at most 1000. Empty unless `partial` is true, because otherwise a problem is returned
   * as an error.
   */
  readonly problems: readonly ExportProblem[];
  /** Makes the changes again: the next change each time that the caller asks for the next value. */
  readonly reapply: () => AsyncGenerator<ReappliedChange>;
}

const KEPT_PROBLEMS = 1000;

interface ReapplyAuditEventsInput {
  readonly exported: AsyncIterable<string>;
  /**
   * A seal that the export must contain, which shows that the end of the export was not cut off. The operator kept the
   * line of this seal in another place than the export.
   */
  readonly anchor?: ExportAnchor | undefined;
  /**
   * Whether to make the proven changes again although parts of the export are missing or not genuine. Default: false.
   */
  readonly partial?: boolean;
}

/** Thrown when a problem is found, to stop reading the export. The use case then returns the problem as its error. */
class ProblemFound extends Error {
  readonly problem: ExportProblem;

  constructor(problem: ExportProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/**
 * Finds the changes that are in an export but not in this log, because the database was restored from a backup.
 * Revocations, disabled users, suspended accounts, retired keys, ended invitations and networks of tokens can be made
 * again. Making a
 * change a second time has no effect. Every line of the export must be proven by a seal that was made with the seal
 * key of this database, and no line may be missing after the last event of the log. If the end of the export was cut
 * off after a seal, only an anchor reveals this.
 */
export const reapplyAuditEvents = authorized(REAPPLY_AUDIT, (ports: SealKeyPorts & ReapplyPorts) => {
  const { auditSeals } = ports;
  return async (caller, { exported, anchor, partial = false }: ReapplyAuditEventsInput) => {
    const key = await openSealKey(ports);
    if (!key.ok) {
      // Without the seal key of this database, nothing shows whether an export is genuine.
      return key.error.code === 'audit_not_sealed' ? err({ code: 'backup_not_sealed' }) : err(key.error);
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
        // The export does not contain the anchor: the end of the export was cut off, or it is the export of another
        // log.
        const ends = lost.ends?.position ?? 0;
        return err({ code: 'export_lacks_anchor', anchor: anchor.last, ends });
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
