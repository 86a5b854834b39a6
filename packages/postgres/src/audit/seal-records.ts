import type { AuditPosition, AuditSeal } from '@gatehouse/domain/audit';
import type { Instant } from '@gatehouse/domain/time';
import { type Selection, type SelectQueryBuilder, sql } from 'kysely';
import { rowOf, selected } from '../database/domain-names.ts';
import type { Queries, Schema } from '../database/schema.ts';
import { formatRanges, parseRanges } from './id-ranges.ts';

/*
 * Another client may have written values that JavaScript cannot represent. These values are read as values that no seal
 * has, so that the verification of the seals fails.
 */
const counted = (column: string) =>
  sql<number>`case when abs(${sql.ref(column)}::numeric) <= 9007199254740991 then ${sql.ref(column)} else -1 end`;
const timed = <T extends Instant | null>(column: string) => sql<T>`
  case when ${sql.ref(column)} >= '0001-01-01Z' and ${sql.ref(column)} < '10000-01-01Z' then ${sql.ref(column)}
    when ${sql.ref(column)} is not null then 'epoch'::timestamptz end`;

const columns = [
  counted('first_position').as('first'),
  counted('last_position').as('last'),
  counted('through_id').as('throughId'),
  timed<Instant>('sealed_at').as('sealedAt'),
  timed<Instant | null>('pruned_at').as('prunedAt'),
  ...selected('ids', 'digest', 'lineHashes', 'previous', 'mac', 'prunedMac'),
] as const;

type Row = Selection<Schema, 'audit_seals', (typeof columns)[number]>;

type Seals = SelectQueryBuilder<Schema, 'audit_seals', Record<never, never>>;

/** Reads the seals that `select` chooses. */
export async function selectSeals(
  db: Queries,
  select: (seals: Seals) => Seals,
): Promise<readonly AuditSeal[]> {
  const rows = await select(db.selectFrom('audit_seals')).select(columns).execute();
  return rows.map(toAuditSeal);
}

export async function insertSeal(tx: Queries, seal: AuditSeal): Promise<void> {
  const { first, last, ids, pruned: _, ...stored } = seal;
  const positions = { first_position: first, last_position: last, ids: formatRanges(ids) };
  await tx
    .insertInto('audit_seals')
    .values({ ...positions, ...rowOf(stored) })
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
