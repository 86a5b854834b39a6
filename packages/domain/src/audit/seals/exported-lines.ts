import { parsePositiveInteger } from '../../identifiers.ts';
import { parseInstant } from '../../time/instant.ts';
import type { AuditPosition, IdRange } from './audit-seal.ts';
import { type ExportedPruning, type ExportedSealLine, sealLine } from './lines.ts';

/** A line of an export. */
export type ExportedLine =
  | {
      readonly kind: 'event';
      readonly position: AuditPosition;
      readonly id: number;
      readonly event: ExportedEvent;
    }
  | {
      readonly kind: 'seal';
      readonly seal: ExportedSealLine;
      /** The pruning of the events; undefined if the lines of the events are in the export. */
      readonly pruned: ExportedPruning | undefined;
    }
  | { readonly kind: 'unreadable' };

/** The members of an exported event that are checked. The other members of the line may have any value. */
export interface ExportedEvent {
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly details: Readonly<Record<string, unknown>>;
}

/** A line of an export with its number, from 1, and its text. */
export type ReadLine = ExportedLine & { readonly number: number; readonly text: string };

/** Reads the lines of an export in their order. */
export async function* readExport(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<ReadLine> {
  let number = 0;
  for await (const text of lines) {
    number += 1;
    yield { ...parseExportedLine(text), number, text };
  }
}

const UNREADABLE: ExportedLine = { kind: 'unreadable' };

/**
 * Parses a line of an export, which may be damaged. The line of a seal counts as unreadable unless it has the same
 * characters as `sealLine` writes: the MAC covers only the values of a seal, so it does not reveal other properties or
 * another spelling.
 */
export function parseExportedLine(text: string): ExportedLine {
  const value = parsed(text);
  if (!isRecord(value)) return UNREADABLE;
  if (isRecord(value.seal)) return parseSeal(text, value.seal);
  const { position, id, action, subject, details } = value;
  if (!isPosition(position) || !isPosition(id) || typeof action !== 'string') return UNREADABLE;
  if (!isRecord(subject) || !isRecord(details)) return UNREADABLE;
  const { type, id: subjectId } = subject;
  if (typeof type !== 'string' || typeof subjectId !== 'string') return UNREADABLE;
  const event = { action, subject: { type, id: subjectId }, details };
  return { kind: 'event', position: position as AuditPosition, id, event };
}

function parseSeal(text: string, value: Readonly<Record<string, unknown>>): ExportedLine {
  const { first, last, ids, through_id: throughId, digest, sealed_at: at, previous, mac } = value;
  const sealedAt = typeof at === 'string' ? parseInstant(at) : undefined;
  if (!isPosition(first) || !isPosition(last) || !isPosition(throughId) || sealedAt === undefined)
    return UNREADABLE;
  if (typeof digest !== 'string' || typeof previous !== 'string' || typeof mac !== 'string')
    return UNREADABLE;
  if (!Array.isArray(ids) || !ids.every(isRange)) return UNREADABLE;
  const [from, to] = [first as AuditPosition, last as AuditPosition];
  const seal = { first: from, last: to, ids, throughId, digest, sealedAt, previous, mac };
  const pruned = pruningOf(value);
  return text === sealLine(seal, pruned) ? { kind: 'seal', seal, pruned } : UNREADABLE;
}

function pruningOf({
  pruned_at: at,
  pruned_mac: mac,
}: Readonly<Record<string, unknown>>): ExportedPruning | undefined {
  const instant = typeof at === 'string' ? parseInstant(at) : undefined;
  return instant === undefined ? undefined : { at: instant, mac: typeof mac === 'string' ? mac : undefined };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && parsePositiveInteger(String(value)) !== undefined;
}

function isRange(value: unknown): value is IdRange {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, last] = value;
  return isPosition(first) && isPosition(last) && first <= last;
}
