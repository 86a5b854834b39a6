import { formatInstant, formatInstantOrNull } from '@gatehouse/domain/time';
import type { Token } from '@gatehouse/domain/tokens';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { TokenTable } from '../database/schema.ts';

/** The values of a new row of `tokens`. */
export type TokenRow = Insertable<TokenTable>;

interface Column<Value> {
  /** The type in PostgreSQL, which a parameter in a list of selected values does not have by itself. */
  readonly type: string;
  readonly write: (token: Token) => Value;
}

/** The columns of `tokens`: what is selected and what is inserted follow from this table. */
const COLUMNS: { readonly [Name in keyof TokenTable]-?: Column<TokenRow[Name]> } = {
  id: { type: 'uuid', write: ({ id }) => id },
  account_id: { type: 'bigint', write: ({ accountId }) => accountId },
  user_id: { type: 'bigint', write: ({ userId }) => userId },
  subject: { type: 'bigint', write: ({ subject }) => subject },
  kind: { type: 'text', write: ({ kind }) => kind },
  name: { type: 'text', write: ({ name }) => name },
  format: { type: 'text', write: ({ format }) => format },
  key_id: { type: 'text', write: ({ keyId }) => keyId },
  scopes: { type: 'text[]', write: ({ scopes }) => scopes },
  created_at: { type: 'timestamptz', write: ({ createdAt }) => formatInstant(createdAt) },
  expires_at: { type: 'timestamptz', write: ({ expiresAt }) => formatInstantOrNull(expiresAt) },
  revoked_at: { type: 'timestamptz', write: ({ revocation }) => formatInstantOrNull(revocation?.at ?? null) },
  revoked_by: { type: 'jsonb', write: ({ revocation }) => revocation && JSON.stringify(revocation.by) },
  revoked_reason: { type: 'text', write: ({ revocation }) => revocation?.reason ?? null },
  replaces: { type: 'uuid', write: ({ replaces }) => replaces?.tokenId ?? null },
  grace_ms: { type: 'bigint', write: ({ replaces }) => replaces?.graceMs ?? null },
  replaced_at: { type: 'timestamptz', write: ({ replacedAt }) => formatInstantOrNull(replacedAt) },
};

const NAMES = Object.keys(COLUMNS) as readonly (keyof TokenTable)[];

/** What is selected to read tokens. */
export const tokenColumns = NAMES.map((name) => `tokens.${name}` as const);

/** The columns of an insert, in the order of `insertedValues`. */
export const insertedColumns = sql.raw(`(${NAMES.join(', ')})`);

/** The text around the values of an insert, made once: their types. */
const TYPES = NAMES.map((name) => `?::${COLUMNS[name].type}`)
  .join(', ')
  .split('?');

/** The values of an insert, with their types. */
export function insertedValues(row: TokenRow): RawBuilder<unknown> {
  return sql(TYPES as unknown as TemplateStringsArray, ...NAMES.map((name) => row[name]));
}

export function tokenRowOf(token: Token): TokenRow {
  const row: Record<string, unknown> = {};
  for (const name of NAMES) row[name] = COLUMNS[name].write(token);
  return row as unknown as TokenRow;
}

/** Written out, because each request reads one: a loop over the columns takes two to three times as long. */
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
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revocation: at === null || by === null ? null : Object.freeze({ at, by: Object.freeze(by), reason }),
    replaces: tokenId === null || graceMs === null ? null : Object.freeze({ tokenId, graceMs }),
    replacedAt: row.replaced_at,
  });
}
