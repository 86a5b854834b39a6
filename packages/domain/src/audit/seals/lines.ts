import { formatInstant, type Instant } from '../../time/instant.ts';
import type { AuditPosition, AuditSeal, StoredEvent } from './audit-seal.ts';
import { rangesJson } from './id-ranges.ts';
import { stableJson } from './stable-json.ts';

/**
 * The event as a line of an export, which is also what a seal covers: the same event always is the same line, so
 * `sha256sum` over the lines of a seal gives its digest.
 */
export function eventLine(position: AuditPosition, { id, event }: StoredEvent): string {
  const { at, actor, origin, action, subject, accountId, details } = event;
  return `{"position":${position},"id":${id},"at":"${formatInstant(at)}","actor":${stableJson(actor)},"origin":${stableJson(origin)},"action":${stableJson(action)},"subject":{"type":${stableJson(subject.type)},"id":${stableJson(subject.id)}},"account_id":${stableJson(accountId)},"details":${stableJson(details)}}`;
}

/** A seal as an export has it: without the hashes of its lines. */
export type ExportedSealLine = Omit<AuditSeal, 'lineHashes' | 'pruned'>;

/** The members of a seal's line if its events were pruned before the export, and so have no lines in it. */
export interface ExportedPruning {
  readonly at: Instant;
  /** Over the whole line (see `pruningMacOf`). Undefined where an older version wrote it, so that it proves nothing. */
  readonly mac: string | undefined;
}

/**
 * The seal as a line of an export, after the lines of its events; without them, and with their pruning, if they were pruned
 * before. The last one is the export's anchor.
 */
export function sealLine(seal: ExportedSealLine, pruned?: ExportedPruning): string {
  const { first, last, ids, throughId, digest, sealedAt, previous, mac } = seal;
  const at = formatInstant(sealedAt);
  const prunedAt = pruned ? `,"pruned_at":"${formatInstant(pruned.at)}"` : '';
  const prunedMac = pruned?.mac === undefined ? '' : `,"pruned_mac":"${pruned.mac}"`;
  return `{"seal":{"first":${first},"last":${last},"ids":${rangesJson(ids)},"through_id":${throughId},"digest":"${digest}","sealed_at":"${at}","previous":"${previous}","mac":"${mac}"${prunedAt}${prunedMac}}}`;
}
