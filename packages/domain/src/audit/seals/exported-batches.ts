import type { AuditSeal } from './audit-seal.ts';
import { type ExportedEvent, parseExportedLine } from './exported-lines.ts';
import { type ExportedPruning, type ExportedSealLine, sealLine } from './lines.ts';
import { hashesOf, lineHash, lineHashAt, macOf, pruningMacOf, type Sealing } from './make-seal.ts';

/** More events than a seal has: so much is kept of a file in which no seal follows. */
const MAX_EVENTS = 10_000;

/** An event of an export. */
export interface ReadEvent {
  readonly position: number;
  readonly id: number;
  readonly event: ExportedEvent;
  readonly line: string;
}

/** The lines of one seal, which may be anything until `isProven` says that they are genuine. */
export interface ExportedBatch {
  readonly kind: 'batch';
  readonly events: readonly ReadEvent[];
  readonly seal: ExportedSealLine;
  readonly pruned: ExportedPruning | undefined;
  /** Whether a line among them is neither an event nor a seal, or there are more than a seal has. */
  readonly hasUnreadable: boolean;
  /** The number of the seal's line. */
  readonly line: number;
}

/** Lines at the end of the export that no seal follows. */
interface UnsealedLines {
  readonly kind: 'unsealed';
  /** The number of the first one. */
  readonly line: number;
}

/** Reads the lines of an export seal by seal. No line is left out. */
export async function* exportedBatches(
  lines: AsyncIterable<string>,
): AsyncGenerator<ExportedBatch | UnsealedLines> {
  let events: ReadEvent[] = [];
  let hasUnreadable = false;
  let [number, sealed] = [0, 0];
  for await (const text of lines) {
    number += 1;
    const parsed = parseExportedLine(text);
    if (parsed.kind === 'event' && events.length < MAX_EVENTS) events.push({ ...parsed, line: text });
    else if (parsed.kind === 'event') hasUnreadable = true;
    else if (parsed.kind === 'unreadable') hasUnreadable = true;
    else {
      const { seal, pruned } = parsed;
      yield { kind: 'batch', events, seal, pruned, hasUnreadable, line: number };
      sealed = number;
      events = [];
      hasUnreadable = false;
    }
  }
  if (number > sealed) yield { kind: 'unsealed', line: sealed + 1 };
}

/**
 * Whether a MAC of this key covers every character of the lines: that of the seal covers the lines of the events and its own;
 * where the events were pruned, the line has another MAC.
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
 * Whether these are the last events of this seal, which is a genuine one of the log: an export may begin within a seal, and
 * its MAC then covers lines that the export does not have.
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
