import type { Scope } from '@gatehouse/domain/access';
import type { AccountId } from '@gatehouse/domain/accounts';
import type { Actor } from '@gatehouse/domain/audit';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import { formatInstant, formatInstantOrNull } from '@gatehouse/domain/time';
import type { Token, TokenFormat, TokenId, TokenKind } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import type { Json, NullableTimestamp, Timestamp } from '@gatehouse/extension-kit/postgres';
import { type Insertable, type InsertType, type RawBuilder, type Selectable, sql } from 'kysely';

interface Column<Stored> {
  /** The type in PostgreSQL, because a parameter in a list of selected values has none. */
  readonly type: string;
  readonly write: (token: Token) => InsertType<Stored>;
  /** Only for the compiler. */
  readonly stored?: Stored;
}

const column = <Stored>(type: string, write: Column<Stored>['write']): Column<Stored> => ({ type, write });

/** The columns of `tokens`. The type of a row, what is selected and what is inserted follow from this table. */
const COLUMNS = {
  id: column<TokenId>('uuid', ({ id }) => id),
  account_id: column<AccountId>('bigint', ({ accountId }) => accountId),
  user_id: column<UserId>('bigint', ({ userId }) => userId),
  subject: column<UserId>('bigint', ({ subject }) => subject),
  kind: column<TokenKind>('text', ({ kind }) => kind),
  name: column<string>('text', ({ name }) => name),
  format: column<TokenFormat>('text', ({ format }) => format),
  key_id: column<KeyId>('text', ({ keyId }) => keyId),
  scopes: column<readonly Scope[]>('text[]', ({ scopes }) => scopes),
  created_at: column<Timestamp>('timestamptz', ({ createdAt }) => formatInstant(createdAt)),
  expires_at: column<NullableTimestamp>('timestamptz', ({ expiresAt }) => formatInstantOrNull(expiresAt)),
  revoked_at: column<NullableTimestamp>('timestamptz', ({ revocation }) =>
    formatInstantOrNull(revocation?.at ?? null),
  ),
  revoked_by: column<Json<Actor> | null>(
    'jsonb',
    ({ revocation }) => revocation && JSON.stringify(revocation.by),
  ),
  revoked_reason: column<string | null>('text', ({ revocation }) => revocation?.reason ?? null),
  replaces: column<TokenId | null>('uuid', ({ replaces }) => replaces?.tokenId ?? null),
  grace_ms: column<number | null>('bigint', ({ replaces }) => replaces?.graceMs ?? null),
  replaced_at: column<NullableTimestamp>('timestamptz', ({ replacedAt }) => formatInstantOrNull(replacedAt)),
};

export type TokenTable = {
  [Name in keyof typeof COLUMNS]: (typeof COLUMNS)[Name] extends Column<infer Stored> ? Stored : never;
};

/** The values of a new row. */
export type TokenRow = Insertable<TokenTable>;

const NAMES = Object.keys(COLUMNS) as readonly (keyof TokenTable)[];

/** Selects what `toToken` reads. */
export const tokenColumns = NAMES.map((name) => `tokens.${name}` as const);

/** The columns of an insert, in the order of `insertedValues`. */
export const insertedColumns = sql.raw(`(${NAMES.join(', ')})`);

/** The text between the values of an insert, which casts each to its type. */
const TYPES = NAMES.map((name) => `?::${COLUMNS[name].type}`)
  .join(', ')
  .split('?');

/** The values of an insert, with their types. */
export function insertedValues(row: TokenRow): RawBuilder<unknown> {
  // kysely reads the texts alone, and no `raw` of a template.
  return sql(TYPES as unknown as TemplateStringsArray, ...NAMES.map((name) => row[name]));
}

export function tokenRowOf(token: Token): TokenRow {
  const row: Record<string, unknown> = {};
  for (const name of NAMES) row[name] = COLUMNS[name].write(token);
  // Each column was written just before; the loop does not tell the compiler.
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
