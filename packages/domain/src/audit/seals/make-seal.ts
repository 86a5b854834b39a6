import type { Instant } from '../../time/instant.ts';
import type { AuditPosition, AuditSeal, StoredEvent } from './audit-seal.ts';
import type { SealableBatch, SealCryptography } from './audit-seals.ts';
import { rangesJson, rangesOf } from './id-ranges.ts';
import { type ExportedSealLine, eventLine, sealLine } from './lines.ts';

/**
 * The number of base64url characters that are stored of the hash of a line. 48 bits are enough to show which line
 * differs. The digest of the seal proves that no line differs.
 */
const HASH_LENGTH = 8;

/** The secret with which MACs are computed, and the functions that compute them. */
export interface Sealing {
  readonly cryptography: SealCryptography;
  readonly secret: Uint8Array;
}

/** The values that the MAC of a seal covers. */
type Sealed = Omit<AuditSeal, 'mac' | 'pruned'>;

/** Seals the events of a batch, which get the positions after the previous seal. */
export function makeSeal(sealing: Sealing, batch: SealableBatch, sealedAt: Instant): AuditSeal {
  const { events, previous, throughId } = batch;
  const first = ((previous?.last ?? 0) + 1) as AuditPosition;
  const sealed: Sealed = {
    first,
    last: (first + events.length - 1) as AuditPosition,
    ids: rangesOf(events.map(({ id }) => id)),
    throughId,
    ...hashesOf(sealing.cryptography, linesFrom(first, events)),
    sealedAt,
    previous: previous?.mac ?? '',
  };
  return { ...sealed, mac: macOf(sealing, sealed), pruned: null };
}

/** Returns the lines of events with consecutive positions. The first event has the position `first`. */
export function linesFrom(first: number, events: readonly StoredEvent[]): readonly string[] {
  return events.map((event, index) => eventLine((first + index) as AuditPosition, event));
}

export function hashesOf(cryptography: SealCryptography, lines: readonly string[]) {
  return {
    digest: cryptography.hash(lines.map((line) => `${line}\n`).join('')),
    lineHashes: lines.map((line) => lineHash(cryptography, line)).join(''),
  };
}

export function lineHash({ hash }: SealCryptography, line: string): string {
  return hash(line).slice(0, HASH_LENGTH);
}

/** The shortened hash of the line at this position. */
export function lineHashAt(
  { first, lineHashes }: Pick<AuditSeal, 'first' | 'lineHashes'>,
  position: number,
): string {
  const start = (position - first) * HASH_LENGTH;
  return lineHashes.slice(start, start + HASH_LENGTH);
}

/** The MAC that a genuine seal with these values has. */
export function macOf({ cryptography, secret }: Sealing, seal: Sealed): string {
  const { first, last, ids, throughId, digest, lineHashes, sealedAt, previous } = seal;
  const values = [first, last, rangesJson(ids), throughId, digest, lineHashes, sealedAt, previous];
  return cryptography.mac(secret, ['gatehouse audit seal 1', ...values].join('\n'));
}

/** The MAC that proves that the seal's events were pruned at this time. */
export function prunedMacOf({ cryptography, secret }: Sealing, { mac }: AuditSeal, at: Instant): string {
  return cryptography.mac(secret, ['gatehouse audit pruned 1', mac, at].join('\n'));
}

/**
 * Returns the MAC of an exported line of a seal whose events were pruned. This MAC covers the rest of the line. The MAC
 * of the seal cannot prove the line, because the MAC of the seal also covers hashes that are not in the line.
 */
export function pruningMacOf({ cryptography, secret }: Sealing, seal: ExportedSealLine, at: Instant): string {
  return cryptography.mac(secret, `gatehouse audit pruned line 1\n${sealLine(seal, { at, mac: undefined })}`);
}
