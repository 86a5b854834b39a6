import type { AuditPosition, AuditSeal } from '@gatehouse/domain/audit';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { type Selection, type SelectQueryBuilder, sql } from 'kysely';
import type { Queries, Schema } from '../database/schema.ts';
import { formatRanges, parseRanges } from './id-ranges.ts';

/** Reads a value that JavaScript cannot represent, which only another client writes, as one that was never sealed. */
const counted = (column: string) =>
  sql<number>`case when abs(${sql.ref(column)}::numeric) <= 9007199254740991 then ${sql.ref(column)} else -1 end`;
const timed = <T extends Instant | null>(column: string) => sql<T>`
  case when ${sql.ref(column)} >= '0001-01-01Z' and ${sql.ref(column)} < '10000-01-01Z' then ${sql.ref(column)}
    when ${sql.ref(column)} is not null then 'epoch'::timestamptz end`;

const columns = [
  counted('first_position').as('first'),
  counted('last_position').as('last'),
  'ids',
  counted('through_id').as('throughId'),
  'digest',
  'line_hashes as lineHashes',
  timed<Instant>('sealed_at').as('sealedAt'),
  'previous',
  'mac',
  timed<Instant | null>('pruned_at').as('prunedAt'),
  'pruned_mac as prunedMac',
] as const;

type Row = Selection<Schema, 'audit_seals', (typeof columns)[number]>;

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
