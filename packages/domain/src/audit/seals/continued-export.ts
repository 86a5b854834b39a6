import { err, ok } from '../../result.ts';
import type { AuditSeals } from './audit-seals.ts';
import {
  type ExportedBatch,
  exportedBatches,
  isOlderPruning,
  isProven,
  isRestOf,
} from './exported-batches.ts';
import { findSameSeal } from './list-seals.ts';
import type { Sealing } from './make-seal.ts';
import { isPruned } from './verify-seal.ts';

/** The end of an export that is to be continued. */
export interface ExportEnd {
  /** The lines of the events of its last seal, and the line of the seal. */
  readonly lines: readonly string[];
  /** Whether the export has no other lines. Then it may lack events at the beginning of the seal. */
  readonly isAll: boolean;
}

/**
 * Checks each character of the last seal's lines, and returns the last position of the export. The errors are that the
 * export does not end with a seal of this log, and that the lines of that seal were changed after the export.
 */
export async function endOfExport(auditSeals: Pick<AuditSeals, 'list'>, sealing: Sealing, end: ExportEnd) {
  const batches: ExportedBatch[] = [];
  for await (const each of exportedBatches(end.lines)) if (each.kind === 'batch') batches.push(each);
  const batch = batches.at(-1);
  const seal = batch && (await findSameSeal(auditSeals, sealing, batch.seal));
  if (!seal) return err({ code: 'audit_anchor_unknown' });
  const isGenuine =
    batches.length === 1 &&
    end.lines.length === batch.line &&
    (isProven(sealing, batch) ||
      (end.isAll && isRestOf(sealing, seal, batch)) ||
      (isOlderPruning(seal, batch) && isPruned(sealing, seal) && seal.pruned?.at === batch.pruned?.at));
  return isGenuine ? ok(seal.last) : err({ code: 'export_end_changed' });
}
