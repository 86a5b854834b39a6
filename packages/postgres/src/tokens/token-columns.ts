import type { Actor } from '@gatehouse/domain/audit';
import { formatInstantOrNull } from '@gatehouse/domain/time';
import type { Token, TokenId } from '@gatehouse/domain/tokens';
import type { Json, NullableTimestamp } from '@gatehouse/extension-kit/postgres';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { rowOf, type Stored } from '../database/domain-names.ts';
import { type NetworkColumns, networkColumnsOf, toTokenNetworks } from './networks/network-columns.ts';

/** The columns of the table `tokens`. */
export interface TokenTable
  extends Stored<Omit<Token, 'networks' | 'revocation' | 'replaces'>>,
    NetworkColumns {
  revoked_at: NullableTimestamp;
  revoked_by: Json<Actor> | null;
  revoked_reason: string | null;
  replaces: TokenId | null;
  grace_ms: number | null;
}

/**
 * The PostgreSQL types of the columns. Inserts name the types, because PostgreSQL does not infer the type of a
 * parameter in a SELECT list.
 */
const TYPES: Readonly<Record<keyof TokenTable, string>> = {
  id: 'uuid',
  account_id: 'bigint',
  user_id: 'bigint',
  subject: 'bigint',
  kind: 'text',
  name: 'text',
  format: 'text',
  key_id: 'text',
  scopes: 'text[]',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  revoked_at: 'timestamptz',
  revoked_by: 'jsonb',
  revoked_reason: 'text',
  replaces: 'uuid',
  grace_ms: 'bigint',
  replaced_at: 'timestamptz',
  networks: 'text[]',
  networks_mode: 'text',
};

/** The values of a new row of `tokens`. */
export type TokenRow = Insertable<TokenTable>;

const NAMES = Object.keys(TYPES) as readonly (keyof TokenTable)[];

/** The columns that `toToken` reads. */
export const tokenColumns = NAMES.map((name) => `tokens.${name}` as const);

/** The list of columns of an INSERT, in the order of the values of `insertedValues`. */
export const insertedColumns = sql.raw(`(${NAMES.join(', ')})`);

/** The texts between the values of an INSERT. They cast each value to the type of its column. */
const CASTS = NAMES.map((name) => `?::${TYPES[name]}`)
  .join(', ')
  .split('?');

/** Returns the values of an INSERT, each cast to the type of its column. */
export function insertedValues(row: TokenRow): RawBuilder<unknown> {
  // kysely reads only the texts of a template, not its `raw`.
  return sql(CASTS as unknown as TemplateStringsArray, ...NAMES.map((name) => row[name]));
}

export function tokenRowOf({ networks, revocation, replaces, ...token }: Token): TokenRow {
  return {
    ...rowOf(token),
    ...networkColumnsOf(networks),
    revoked_at: formatInstantOrNull(revocation?.at ?? null),
    revoked_by: revocation && JSON.stringify(revocation.by),
    revoked_reason: revocation?.reason ?? null,
    replaces: replaces?.tokenId ?? null,
    grace_ms: replaces?.graceMs ?? null,
  };
}

/**
 * Makes a token from its row. The properties are written out, because a loop over the columns takes two to three times
 * as long.
 */
export function toToken(row: Selectable<TokenTable>): Token {
  const { revoked_at: at, revoked_by: by, revoked_reason: reason } = row;
  const { replaces: tokenId, grace_ms: graceMs } = row;
  return Object.freeze({
    id: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    subject: row.subject,
    kind: row.kind,
    name: row.name,
    format: row.format,
    keyId: row.key_id,
    scopes: Object.freeze(row.scopes),
    networks: toTokenNetworks(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revocation: at === null || by === null ? null : Object.freeze({ at, by: Object.freeze(by), reason }),
    replaces: tokenId === null || graceMs === null ? null : Object.freeze({ tokenId, graceMs }),
    replacedAt: row.replaced_at,
  });
}
