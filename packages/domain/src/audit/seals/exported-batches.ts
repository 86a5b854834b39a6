import type { AuditSeal } from './audit-seal.ts';
import { type ExportedLine, parseExportedLine } from './exported-lines.ts';
import { type ExportedPruning, type ExportedSealLine, sealLine } from './lines.ts';
import { hashesOf, lineHash, lineHashAt, macOf, pruningMacOf, type Sealing } from './make-seal.ts';

/**
 * The largest number of events that are kept between two seals. A seal has fewer events. The limit bounds the memory for a file
 * without seals.
 */
const MAX_EVENTS = 10_000;

/** An event of an export, with its line. */
export type ReadEvent = Extract<ExportedLine, { readonly kind: 'event' }> & { readonly line: string };

/** The lines of one seal. The lines may be forged unless `isProven` returns true. */
export interface ExportedBatch {
  readonly kind: 'batch';
  readonly events: readonly ReadEvent[];
  readonly seal: ExportedSealLine;
  readonly pruned: ExportedPruning | undefined;
  /** Whether one of the lines is neither an event nor a seal, or there are more lines than a seal has events. */
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
  let [number, sealed] = [0, 0];
  for await (const text of lines) {
    number += 1;
    const parsed = parseExportedLine(text);
    if (parsed.kind === 'seal') {
      const { seal, pruned } = parsed;
      yield { kind: 'batch', events, seal, pruned, hasUnreadable, line: number };
      sealed = number;
      events = [];
      hasUnreadable = false;
    } else if (parsed.kind === 'event' && events.length < MAX_EVENTS) events.push({ ...parsed, line: text });
    else hasUnreadable = true;
  }
  if (number > sealed) yield { kind: 'unsealed', line: sealed + 1 };
}

/**
 * Whether a MAC of this key covers every character of the lines. The MAC of a seal covers the line of the seal and the lines of
 * its events. If the events were pruned, the line of the seal has another MAC, which covers that line.
 */
export function isProven(sealing: Sealing, { events, seal, pruned, hasUnreadable }: ExportedBatch): boolean {
  if (hasUnreadable) return false;
  if (pruned) return events.length === 0 && pruned.mac === pruningMacOf(sealing, seal, pruned.at);
  if (events.length !== seal.last - seal.first + 1) return false;
  const hashes = hashesOf(
    sealing.cryptography,
    events.map(({ line }) => line),
  );
  return hashes.digest === seal.digest && macOf(sealing, { ...seal, ...hashes }) === seal.mac;
}

/**
 * Whether these are the last events of this genuine seal of the log. An export may begin within a seal, whose MAC then
 * covers lines that the export does not have.
 */
export function isRestOf({ cryptography }: Sealing, seal: AuditSeal, batch: ExportedBatch): boolean {
  const { events, pruned, hasUnreadable } = batch;
  if (pruned || hasUnreadable || sealLine(batch.seal) !== sealLine(seal)) return false;
  const before = seal.last - events.length;
  return events.every(
    ({ position, line }, index) =>
      position === before + index + 1 && lineHash(cryptography, line) === lineHashAt(seal, position),
  );
}

/**
 * Whether the line is the one that an older version wrote for this seal of the log after its events were pruned. That version
 * wrote no MAC.
 */
export function isOlderPruning(seal: AuditSeal, batch: ExportedBatch): boolean {
  const { events, pruned, hasUnreadable } = batch;
  if (!pruned || pruned.mac !== undefined || events.length > 0 || hasUnreadable) return false;
  return sealLine(batch.seal) === sealLine(seal);
}
