import type { AuditSeal } from '../seals/audit-seal.ts';
import type { AuditSeals } from '../seals/audit-seals.ts';
import {
  type ExportedBatch,
  exportedBatches,
  isOlderPruning,
  isProven,
  isRestOf,
  type ReadEvent,
} from '../seals/exported-batches.ts';
import { findSameSeal } from '../seals/list-seals.ts';
import type { Sealing } from '../seals/make-seal.ts';

/** A problem of an export: a part of the export is missing, or is not proven to be genuine. */
export type ExportProblem =
  /**
   * A line of the export differs from the line that was sealed, or is not at its place in the export. `line` is the
   * number of the seal's line, or of a line before it.
   */
  | { readonly code: 'export_not_genuine'; readonly line: number }
  /**
   * Neither the export nor the log has the events up to the position `last` of the audit log. Either they were pruned,
   * or their lines are missing before `line`.
   */
  | {
      readonly code: 'export_incomplete';
      readonly line: number;
      readonly last: number;
      readonly pruned: boolean;
    }
  /** No seal follows this line: the export was interrupted or cut there. */
  | { readonly code: 'export_unsealed'; readonly line: number };

/** A proven seal of the export, and its events. */
export interface CheckedBatch {
  readonly kind: 'checked';
  readonly seal: ExportedBatch['seal'];
  /** The events of the batch; empty if they were pruned before the export. */
  readonly events: readonly ReadEvent[];
  /** The seal in the log, if it is the same as the exported seal; otherwise undefined. */
  readonly same: AuditSeal | undefined;
}

/**
 * Reads an export and yields its proven seals. A seal is proven if a MAC covers every character of its lines and it
 * follows the previous seal. The first seal of the export must follow a seal of the log, or begin with the first event
 * of all. Yields a problem for every seal that is not proven, and for events that are in neither the export nor the
 * log. After a problem, continues with the next proven seal.
 */
export async function* checkedBatches(
  lines: AsyncIterable<string>,
  auditSeals: Pick<AuditSeals, 'list'>,
  sealing: Sealing,
): AsyncGenerator<CheckedBatch | ExportProblem> {
  /** The previous proven seal; undefined at the beginning of the export, and after lines that are not proven. */
  let before: ExportedBatch['seal'] | undefined;
  let [reached, read, isTold] = [0, 0, false];
  for await (const batch of exportedBatches(lines)) {
    if (batch.kind === 'unsealed') {
      yield { code: 'export_unsealed', line: batch.line };
      return;
    }
    read += 1;
    const { seal, line, pruned, events } = batch;
    const same = await findSameSeal(auditSeals, sealing, seal);
    const isGenuine = isProven(sealing, batch) || (same && isKnown(sealing, same, batch, read === 1));
    if (seal.first <= reached || !isGenuine) {
      yield { code: 'export_not_genuine', line };
      [before, isTold] = [undefined, true];
      continue;
    }
    if (!isTold && !(await follows(seal, before)))
      yield { code: 'export_incomplete', line, last: seal.first - 1, pruned: false };
    if (pruned && !same) yield { code: 'export_incomplete', line, last: seal.last, pruned: true };
    [before, reached, isTold] = [seal, seal.last, false];
    yield { kind: 'checked', seal, events, same };
  }
  if (read === 0) yield { code: 'export_unsealed', line: 1 };

  async function follows(
    { first, previous: mac }: ExportedBatch['seal'],
    last: ExportedBatch['seal'] | undefined,
  ): Promise<boolean> {
    if (last) return first === last.last + 1 && mac === last.mac;
    if (first === 1) return true;
    return (await findSameSeal(auditSeals, sealing, { last: first - 1, mac })) !== undefined;
  }
}

/**
 * Whether the seal `same` of the log proves a batch that the MACs of the export do not prove. This is so if an older
 * version of Gatehouse wrote the line of pruned events without a MAC, or if the export begins within the batch.
 */
function isKnown(sealing: Sealing, same: AuditSeal, batch: ExportedBatch, isFirst: boolean): boolean {
  return batch.pruned ? isOlderPruning(same, batch) : isFirst && isRestOf(sealing, same, batch);
}
