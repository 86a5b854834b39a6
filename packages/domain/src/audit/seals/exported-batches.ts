import type { AuditSeal } from './audit-seal.ts';
import { type ReadLine, readExport } from './exported-lines.ts';
import { type ExportedPruning, type ExportedSealLine, sealLine } from './lines.ts';
import { hashesOf, lineHash, lineHashAt, macOf, pruningMacOf, type Sealing } from './make-seal.ts';

/**
 * The largest number of events that are kept in memory until the line of their seal is read. Every seal has fewer
 * events. The limit bounds the memory for a file without seals.
 */
const MAX_EVENTS = 10_000;

/** An event of an export, with its line. */
export type ReadEvent = Extract<ReadLine, { readonly kind: 'event' }>;

/** The lines of one seal. The lines may be forged unless `isProven` returns true. */
export interface ExportedBatch {
  readonly kind: 'batch';
  readonly events: readonly ReadEvent[];
  readonly seal: ExportedSealLine;
  readonly pruned: ExportedPruning | undefined;
  /** Whether one of the lines is neither an event nor a seal, or there are more lines than a seal can have events. */
  readonly hasUnreadable: boolean;
  /** The number of the seal's line. */
  readonly line: number;
}

/** Lines at the end of the export without a seal after them. */
interface UnsealedLines {
  readonly kind: 'unsealed';
  /** The number of the first line. */
  readonly line: number;
}

/** Reads the lines of an export seal by seal. No line is left out. */
export async function* exportedBatches(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<ExportedBatch | UnsealedLines> {
  let events: ReadEvent[] = [];
  let hasUnreadable = false;
  let [read, sealed] = [0, 0];
  for await (const line of readExport(lines)) {
    read = line.number;
    if (line.kind === 'seal') {
      const { seal, pruned } = line;
      yield { kind: 'batch', events, seal, pruned, hasUnreadable, line: read };
      sealed = read;
      events = [];
      hasUnreadable = false;
    } else if (line.kind === 'event' && events.length < MAX_EVENTS) events.push(line);
    else hasUnreadable = true;
  }
  if (read > sealed) yield { kind: 'unsealed', line: sealed + 1 };
}

/**
 * Whether a MAC of this key covers every character of the lines. The MAC of a seal covers the line of the seal and the
 * lines of its events. If the events were pruned, the line of the seal has another MAC, which covers that line.
 */
export function isProven(sealing: Sealing, { events, seal, pruned, hasUnreadable }: ExportedBatch): boolean {
  if (hasUnreadable) return false;
  if (pruned) return events.length === 0 && pruned.mac === pruningMacOf(sealing, seal, pruned.at);
  if (events.length !== seal.last - seal.first + 1) return false;
  const hashes = hashesOf(
    sealing.cryptography,
    events.map(({ text }) => text),
  );
  return hashes.digest === seal.digest && macOf(sealing, { ...seal, ...hashes }) === seal.mac;
}

/**
 * Whether the events of the batch are the last events of this seal of the log, which must be genuine. An export may
 * begin within a seal. The MAC of that seal cannot prove the batch, because it also covers lines that the export does
 * not have.
 */
export function isRestOf({ cryptography }: Sealing, seal: AuditSeal, batch: ExportedBatch): boolean {
  const { events, pruned, hasUnreadable } = batch;
  if (pruned || hasUnreadable || sealLine(batch.seal) !== sealLine(seal)) return false;
  const before = seal.last - events.length;
  return events.every(
    ({ position, text }, index) =>
      position === before + index + 1 && lineHash(cryptography, text) === lineHashAt(seal, position),
  );
}

/**
 * Whether the batch is the line that an older version of Gatehouse wrote for this seal after the seal's events were
 * pruned. That version wrote no MAC of the pruning.
 */
export function isOlderPruning(seal: AuditSeal, batch: ExportedBatch): boolean {
  const { events, pruned, hasUnreadable } = batch;
  if (!pruned || pruned.mac !== undefined || events.length > 0 || hasUnreadable) return false;
  return sealLine(batch.seal) === sealLine(seal);
}
