import type { AuditFindings } from './audit-findings.ts';
import type { AuditSeal } from './audit-seal.ts';
import { countIn } from './id-ranges.ts';
import { hashesOf, lineHash, lineHashAt, macOf, prunedMacOf, type Sealing } from './make-seal.ts';
import type { SealedRow } from './sealed-rows.ts';

/** Checks that the seal is genuine and follows the previous seal. Returns whether the seal is genuine. */
export function verifySeal(
  sealing: Sealing,
  seal: AuditSeal,
  previous: AuditSeal | undefined,
  findings: AuditFindings,
): boolean {
  const next = (previous?.last ?? 0) + 1;
  const isGenuine = isSealGenuine(sealing, seal);
  const { first, last } = seal;
  if (!isGenuine) findings.add({ kind: 'seal_changed', first, last });
  if (first > next) findings.add({ kind: 'seals_removed', first: next, last: first - 1 });
  else if (isGenuine && previous && seal.previous !== previous.mac) {
    findings.add({ kind: 'seal_changed', first: previous.first, last: previous.last });
  }
  return isGenuine;
}

/** Whether the seal was made with the seal key. */
export function isSealGenuine(sealing: Sealing, seal: AuditSeal): boolean {
  return macOf(sealing, seal) === seal.mac && countIn(seal.ids) === seal.last - seal.first + 1;
}

/** Whether the events of a genuine seal were deleted with the seal key. */
export function isPruned(sealing: Sealing, seal: AuditSeal): boolean {
  return seal.pruned !== null && prunedMacOf(sealing, seal, seal.pruned.at) === seal.pruned.mac;
}

/** Whether the log has all events of the seal, unchanged. */
export function isWhole({ cryptography }: Sealing, seal: AuditSeal, rows: readonly SealedRow[]): boolean {
  const lines = rows.flatMap(({ line }) => line ?? []);
  return hashesOf(cryptography, lines).digest === seal.digest;
}

/** Compares the events in the log with a genuine seal, and reports the differences. */
export function verifyRows(
  sealing: Sealing,
  seal: AuditSeal,
  rows: readonly SealedRow[],
  findings: AuditFindings,
): void {
  let named = 0;
  for (const { position, id, line, isRepeated } of rows) {
    if (isRepeated) findings.add({ kind: 'event_inserted', id: String(id) });
    if (line !== undefined && lineHash(sealing.cryptography, line) === lineHashAt(seal, position)) continue;
    named += 1;
    findings.add({ kind: line === undefined ? 'event_removed' : 'event_changed', position, id });
  }
  const { first, last } = seal;
  if (named === 0 && !isWhole(sealing, seal, rows)) findings.add({ kind: 'events_changed', first, last });
}

/** Reports events that were inserted after the events of a seal were pruned. */
export function verifyPruned(rows: readonly SealedRow[], findings: AuditFindings): void {
  for (const { id, event } of rows) if (event) findings.add({ kind: 'event_inserted', id: String(id) });
}
