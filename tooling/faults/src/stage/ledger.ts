import { type Result, UnavailableFault } from '@gatehouse/domain';
import type { MintedToken, TokenId } from '@gatehouse/domain/tokens';
import pg from 'pg';
import type { Settings } from './node.ts';
import { openStore, type ReplaceTokens, unwrap } from './store.ts';

/** A token, and how far its changes came. Moments are milliseconds by the monotonic clock. */
export interface LedgerToken {
  readonly id: TokenId;
  readonly secret: string;
  /** Since when somebody tries to revoke it. */
  revokingSince?: number;
  /** When somebody was told that it is revoked. */
  revokedAt?: number;
}

/** Makes and revokes tokens as the commands do, and notes what was acknowledged. */
export interface Ledger extends AsyncDisposable {
  /** Those whose making was acknowledged. */
  readonly tokens: readonly LedgerToken[];
  /** Changes that were acknowledged, and those that failed because the database was not available. */
  readonly counts: { acknowledged: number; failed: number };
  /** Answers nothing where it was not acknowledged. */
  create(): Promise<LedgerToken | undefined>;
  /** Whether it was acknowledged; if not, it may be tried again. */
  revoke(token: LedgerToken): Promise<boolean>;
  /** What is stored and is not what was acknowledged, or stands in no audit event, or in one that is not so. */
  disagreements(): Promise<readonly string[]>;
}

export interface LedgerOptions {
  readonly settings: Settings;
  readonly email: string;
  readonly replaceTokens?: ReplaceTokens;
}

export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { settings, email, replaceTokens } = options;
  const store = openStore(settings, replaceTokens);
  const admin = unwrap(await store.actAs(email, 'ledger'));
  const tokens: LedgerToken[] = [];
  const counts = { acknowledged: 0, failed: 0 };
  let serial = 0;

  async function ifAcknowledged<T>(change: Promise<Result<T, { readonly code: string }>>) {
    try {
      const value = unwrap(await change);
      counts.acknowledged += 1;
      return value;
    } catch (error) {
      // Whatever else it is: callers are not told that they may try again.
      if (!(error instanceof UnavailableFault)) throw error;
      counts.failed += 1;
      return undefined;
    }
  }

  return {
    tokens,
    counts,
    async create() {
      serial += 1;
      const made: MintedToken | undefined = await ifAcknowledged(
        store.issueToken(admin, {
          name: `Ledger ${serial}`,
          format: 'paseto',
          scopes: ['*'],
          expiry: 'never',
        }),
      );
      if (made === undefined) return undefined;
      const token: LedgerToken = { id: made.record.id, secret: made.secret };
      tokens.push(token);
      return token;
    },
    async revoke(token) {
      token.revokingSince ??= performance.now();
      if (!(await ifAcknowledged(store.revokeToken(admin, { id: token.id, reason: null })))) return false;
      token.revokedAt ??= performance.now();
      return true;
    },
    async disagreements() {
      // What was acknowledged by now: more may be while the records are read.
      const known = new Map(tokens.map((token) => [token.id, { token, revokedAt: token.revokedAt }]));
      const found: string[] = [];
      for (const { id, stored, revoked, told_created, told_revoked } of await records(settings)) {
        const { token, revokedAt } = known.get(id) ?? {};
        known.delete(id);
        if (Number(stored) !== told_created) found.push(`${id}: its making and its event disagree`);
        if (Number(revoked) !== told_revoked) found.push(`${id}: its end and its event disagree`);
        if (token !== undefined && !stored) found.push(`${id}: made, and gone`);
        if (revokedAt !== undefined && !revoked) found.push(`${id}: revoked, and good again`);
        if (token?.revokingSince === undefined && token !== undefined && revoked)
          found.push(`${id}: revoked by nobody`);
      }
      return [...found, ...[...known.keys()].map((id) => `${id}: made, and gone without a trace`)];
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

interface TokenRecord {
  readonly id: TokenId;
  readonly stored: boolean;
  readonly revoked: boolean;
  readonly told_created: number;
  readonly told_revoked: number;
}

/** Every token that has a record or an event. */
async function records({ DATABASE_URL }: Settings): Promise<readonly TokenRecord[]> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query<TokenRecord>(`
      select coalesce(token.id::text, told.id) as id, token.id is not null as stored,
        token.revoked_at is not null as revoked,
        coalesce(told.created, 0)::int as told_created, coalesce(told.revoked, 0)::int as told_revoked
      from tokens as token full join (
        select subject_id as id, count(*) filter (where action = 'token.created') as created,
          count(*) filter (where action = 'token.revoked') as revoked
        from audit_events where subject_type = 'token' group by subject_id
      ) as told on told.id = token.id::text`);
    return rows;
  } finally {
    await client.end();
  }
}
