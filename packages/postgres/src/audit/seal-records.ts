import type { AuditPosition, AuditSeal } from '@gatehouse/domain/audit';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { SelectQueryBuilder } from 'kysely';
import type { Queries, Schema } from '../database/schema.ts';
import { formatRanges, parseRanges } from './id-ranges.ts';

const columns = [
  'first_position as first',
  'last_position as last',
  'ids',
  'through_id as throughId',
  'digest',
  'line_hashes as lineHashes',
  'sealed_at as sealedAt',
  'previous',
  'mac',
  'pruned_at as prunedAt',
  'pruned_mac as prunedMac',
] as const;

interface Row extends Omit<AuditSeal, 'first' | 'last' | 'ids' | 'pruned'> {
  readonly first: number;
  readonly last: number;
  readonly ids: string;
  readonly prunedAt: Instant | null;
  readonly prunedMac: string | null;
}

type Seals = SelectQueryBuilder<Schema, 'audit_seals', Record<never, never>>;

/** Reads the selected seals. */
export async function selectSeals(
  db: Queries,
  select: (seals: Seals) => Seals,
): Promise<readonly AuditSeal[]> {
  const rows = await select(db.selectFrom('audit_seals')).select(columns).execute();
  return rows.map(toAuditSeal);
}

export async function insertSeal(tx: Queries, seal: AuditSeal): Promise<void> {
  await tx
    .insertInto('audit_seals')
    .values({
      first_position: seal.first,
      last_position: seal.last,
      ids: formatRanges(seal.ids),
      through_id: seal.throughId,
      digest: seal.digest,
      line_hashes: seal.lineHashes,
      sealed_at: formatInstant(seal.sealedAt),
      previous: seal.previous,
      mac: seal.mac,
    })
    .execute();
}

function toAuditSeal({ prunedAt, prunedMac, ...row }: Row): AuditSeal {
  return Object.freeze({
    ...row,
    first: row.first as AuditPosition,
    last: row.last as AuditPosition,
    ids: parseRanges(row.ids),
    pruned: prunedAt !== null && prunedMac !== null ? { at: prunedAt, mac: prunedMac } : null,
  });
}
