import { err, ok, type Result } from '../../result.ts';
import type { AuditPosition, AuditSeal } from './audit-seal.ts';
import type { AuditSeals } from './audit-seals.ts';
import { type ExportedBatch, exportedBatches, isProven, isRestOf } from './exported-batches.ts';
import { sealLine } from './lines.ts';
import { findSameSeal } from './list-seals.ts';
import type { Sealing } from './make-seal.ts';
import { isPruned } from './verify-seal.ts';

/** The end of an export that is to be continued. */
export interface ExportEnd {
  /** The lines of its last seal, with that of the seal at the end. */
  readonly lines: readonly string[];
  /** Whether the export begins with these lines: then it may lack events at the beginning of the seal. */
  readonly isAll: boolean;
}

/** The export does not end with a seal of this log. */
export type AuditAnchorUnknown = { readonly code: 'audit_anchor_unknown' };

/** The export ends with a seal of this log, and the lines of that seal are not as they were exported. */
export type ExportEndChanged = { readonly code: 'export_end_changed' };

/** Checks each character of the last seal's lines, and returns the position at which the export ends. */
export async function endOfExport(
  auditSeals: Pick<AuditSeals, 'list'>,
  sealing: Sealing,
  end: ExportEnd,
): Promise<Result<AuditPosition, AuditAnchorUnknown | ExportEndChanged>> {
  const batches: ExportedBatch[] = [];
  for await (const each of exportedBatches(toAsync(end.lines))) if (each.kind === 'batch') batches.push(each);
  const batch = batches.at(-1);
  const seal = batch && (await findSameSeal(auditSeals, sealing, batch.seal));
  if (!seal) return err({ code: 'audit_anchor_unknown' });
  const isGenuine =
    batches.length === 1 &&
    end.lines.length === batch.line &&
    (isProven(sealing, batch) ||
      (end.isAll && isRestOf(sealing, seal, batch)) ||
      isOlderPruning(sealing, seal, batch));
  return isGenuine ? ok(seal.last) : err({ code: 'export_end_changed' });
}

/** Whether an older version wrote the line, without a MAC, and the log proves what it says. */
function isOlderPruning(sealing: Sealing, seal: AuditSeal, batch: ExportedBatch): boolean {
  const { events, pruned, hasUnreadable } = batch;
  if (!pruned || pruned.mac !== undefined || events.length > 0 || hasUnreadable) return false;
  return (
    isPruned(sealing, seal) &&
    seal.pruned?.at === pruned.at &&
    sealLine(batch.seal, pruned) === sealLine(seal, pruned)
  );
}

async function* toAsync(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
