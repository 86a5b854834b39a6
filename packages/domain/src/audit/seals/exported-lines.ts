import { parsePositiveInteger } from '../../identifiers.ts';
import { parseInstant } from '../../time/instant.ts';
import type { AuditPosition, AuditSeal, IdRange } from './audit-seal.ts';

/** A seal as an export has it: without the hashes of its lines. */
export type ExportedSealLine = Omit<AuditSeal, 'lineHashes' | 'pruned'>;

/** A line of an export. */
export type ExportedLine =
  | {
      readonly kind: 'event';
      readonly position: AuditPosition;
      readonly id: number;
      readonly event: ExportedEvent;
    }
  /** `prunedBefore` says that the lines of its events are not in the export. */
  | { readonly kind: 'seal'; readonly seal: ExportedSealLine; readonly prunedBefore: boolean }
  | { readonly kind: 'unreadable' };

/** What is needed of an event: a file may have anything in the other members. */
export interface ExportedEvent {
  readonly action: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly details: Readonly<Record<string, unknown>>;
}

const UNREADABLE: ExportedLine = { kind: 'unreadable' };

/** Reads a line of an export, which may be damaged. */
export function parseExportedLine(text: string): ExportedLine {
  const value = parsed(text);
  if (!isRecord(value)) return UNREADABLE;
  if (isRecord(value.seal)) return parseSeal(value.seal);
  const { position, id, action, subject, details } = value;
  if (!isPosition(position) || !isPosition(id) || typeof action !== 'string') return UNREADABLE;
  if (!isRecord(subject) || !isRecord(details)) return UNREADABLE;
  const { type, id: subjectId } = subject;
  if (typeof type !== 'string' || typeof subjectId !== 'string') return UNREADABLE;
  const event = { action, subject: { type, id: subjectId }, details };
  return { kind: 'event', position: position as AuditPosition, id, event };
}

function parseSeal(value: Readonly<Record<string, unknown>>): ExportedLine {
  const { first, last, ids, through_id: throughId, digest, sealed_at: at, previous, mac } = value;
  const sealedAt = typeof at === 'string' ? parseInstant(at) : undefined;
  if (!isPosition(first) || !isPosition(last) || !isPosition(throughId) || sealedAt === undefined)
    return UNREADABLE;
  if (typeof digest !== 'string' || typeof previous !== 'string' || typeof mac !== 'string')
    return UNREADABLE;
  if (!Array.isArray(ids) || !ids.every(isRange)) return UNREADABLE;
  const [from, to] = [first as AuditPosition, last as AuditPosition];
  const seal = { first: from, last: to, ids, throughId, digest, sealedAt, previous, mac };
  return { kind: 'seal', seal, prunedBefore: value.pruned_at !== undefined };
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
