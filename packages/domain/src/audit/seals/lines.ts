import { formatInstant, type Instant } from '../../time/instant.ts';
import type { AuditPosition, AuditSeal, StoredEvent } from './audit-seal.ts';
import { rangesJson } from './id-ranges.ts';

/**
 * Writes an event as a line of an export. An event always has the same line, and seals cover these lines. So
 * `sha256sum` over the lines of a seal gives the digest of the seal.
 */
export function eventLine(position: AuditPosition, { id, event }: StoredEvent): string {
  const { at, actor, origin, action, subject, accountId, details } = event;
  return `{"position":${position},"id":${id},"at":"${formatInstant(at)}","actor":${stableJson(actor)},"origin":${stableJson(origin)},"action":${stableJson(action)},"subject":{"type":${stableJson(subject.type)},"id":${stableJson(subject.id)}},"account_id":${stableJson(accountId)},"details":${stableJson(details)}}`;
}

/** A seal in an export, without the hashes of its lines. */
export type ExportedSealLine = Omit<AuditSeal, 'lineHashes' | 'pruned'>;

/**
 * Further members of the line of a seal whose events were pruned before the export. The export lacks the lines of these
 * events.
 */
export interface ExportedPruning {
  readonly at: Instant;
  /**
   * The MAC of the whole line (`pruningMacOf`). Undefined if an older version of Gatehouse wrote the line. A line
   * without this MAC proves nothing.
   */
  readonly mac: string | undefined;
}

/**
 * Writes a seal as a line of an export. The line follows the lines of the seal's events, or says that the events were
 * pruned. The last line of an export identifies the end of the export (`ExportAnchor`).
 */
export function sealLine(seal: ExportedSealLine, pruned?: ExportedPruning): string {
  const { first, last, ids, throughId, digest, sealedAt, previous, mac } = seal;
  const at = formatInstant(sealedAt);
  const prunedAt = pruned ? `,"pruned_at":"${formatInstant(pruned.at)}"` : '';
  const prunedMac = pruned?.mac === undefined ? '' : `,"pruned_mac":"${pruned.mac}"`;
  return `{"seal":{"first":${first},"last":${last},"ids":${rangesJson(ids)},"through_id":${throughId},"digest":"${digest}","sealed_at":"${at}","previous":"${previous}","mac":"${mac}"${prunedAt}${prunedMac}}}`;
}

/**
 * Returns JSON with the members of every object sorted by name. So a value has the same text after a database stored
 * its members in another order.
 */
function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${stableJson(member)}`);
  return `{${members.join(',')}}`;
}
