import type { AuditSeal } from '../seals/audit-seal.ts';
import { type ExportedEvent, parseExportedLine } from '../seals/exported-lines.ts';
import { hashesOf, macOf, type Sealing } from '../seals/make-seal.ts';

/** An event of an export. */
export interface ReadEvent {
  readonly position: number;
  readonly id: number;
  readonly event: ExportedEvent;
  readonly line: string;
}

/** The events of one seal, which is genuine; none if they were pruned before the export. */
export interface ExportedBatch {
  readonly seal: Pick<AuditSeal, 'first' | 'last' | 'mac'>;
  readonly events: readonly ReadEvent[];
}

/** The line is not as it was sealed, or the lines between it and the seal before are not complete. */
export interface ExportNotGenuine {
  readonly code: 'export_not_genuine';
  readonly line: number;
}

/** Thrown by `genuineBatches` to end the reading; its caller returns the error. */
export class NotGenuine extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is not genuine`);
    this.line = line;
  }
}

/**
 * Reads the lines of an export seal by seal, and checks each, and that it follows the one before. Lines after the last seal are
 * left out: the export was interrupted there.
 *
 * @throws NotGenuine for a seal that was not made with this key, or does not follow the one before
 */
export async function* genuineBatches(
  lines: AsyncIterable<string>,
  sealing: Sealing,
): AsyncGenerator<ExportedBatch> {
  let events: ReadEvent[] = [];
  let number = 0;
  let before: ExportedBatch['seal'] | undefined;
  for await (const line of lines) {
    number += 1;
    const parsed = parseExportedLine(line);
    if (parsed.kind === 'event') events.push({ ...parsed, line });
    if (parsed.kind !== 'seal') continue;
    const { seal, prunedBefore } = parsed;
    const read = events;
    events = [];
    if (before && (seal.first !== before.last + 1 || seal.previous !== before.mac)) {
      throw new NotGenuine(number);
    }
    before = seal;
    if (prunedBefore && read.length === 0) {
      yield { seal, events: [] };
      continue;
    }
    const texts = read.map((each) => each.line);
    const whole = { ...seal, ...hashesOf(sealing.cryptography, texts) };
    if (read.length !== seal.last - seal.first + 1 || macOf(sealing, whole) !== seal.mac)
      throw new NotGenuine(number);
    yield { seal: whole, events: read };
  }
}
