import { UnavailableFault } from '@gatehouse/domain';
import type { TokenId } from '@gatehouse/domain/tokens';
import pg from 'pg';
import { adminOf, type IssuedToken } from './admin.ts';
import type { Settings } from './node.ts';
import { openInstallation, type ReplaceTokens } from './store.ts';

/** A token and the state of its changes. Times are milliseconds of the monotonic clock. */
export interface LedgerToken extends Pick<IssuedToken, 'id' | 'secret'> {
  /** When the first attempt to revoke it began. */
  revokingSince?: number;
  /** When its revocation was acknowledged. */
  revokedAt?: number;
}

/** Creates and revokes tokens like the commands, and records what was acknowledged. */
export interface Ledger extends AsyncDisposable {
  /** The tokens whose creation was acknowledged. */
  readonly tokens: readonly LedgerToken[];
  /** The numbers of acknowledged changes, and of those that failed because the database was unavailable. */
  readonly counts: { acknowledged: number; failed: number };
  /** Returns undefined if it was not acknowledged. */
  create(): Promise<LedgerToken | undefined>;
  /** Returns whether it was acknowledged; if not, it may be retried. */
  revoke(token: LedgerToken): Promise<boolean>;
  /** Returns what is stored but differs from what was acknowledged, or has no audit event, or a different one. */
  disagreements(): Promise<readonly string[]>;
}

export async function openLedger(
  settings: Settings,
  email: string,
  replaceTokens?: ReplaceTokens,
): Promise<Ledger> {
  const store = openInstallation(settings, replaceTokens);
  const admin = await adminOf(store, email);
  const tokens: LedgerToken[] = [];
  const counts = { acknowledged: 0, failed: 0 };

  async function ifAcknowledged<T>(change: Promise<T>) {
    try {
      const value = await change;
      counts.acknowledged += 1;
      return value;
    } catch (error) {
      // Callers may not retry after any other error.
      if (!(error instanceof UnavailableFault)) throw error;
      counts.failed += 1;
      return undefined;
    }
  }

  return {
    tokens,
    counts,
    async create() {
      const token: LedgerToken | undefined = await ifAcknowledged(admin.issue());
      if (token !== undefined) tokens.push(token);
      return token;
    },
    async revoke(token) {
      token.revokingSince ??= performance.now();
      const revoked = await ifAcknowledged(admin.revoke(token).then(() => true));
      if (revoked) token.revokedAt ??= performance.now();
      return revoked === true;
    },
    async disagreements() {
      // The changes acknowledged so far; more may follow while the records are read.
      const known = new Map(tokens.map((token) => [token.id, { token, revokedAt: token.revokedAt }]));
      const found: string[] = [];
      for (const { id, stored, revoked, told_created, told_revoked } of await records(settings)) {
        const { token, revokedAt } = known.get(id) ?? {};
        known.delete(id);
        if (Number(stored) !== told_created) found.push(`${id}: its creation and its event disagree`);
        if (Number(revoked) !== told_revoked) found.push(`${id}: its end and its event disagree`);
        if (token !== undefined && !stored) found.push(`${id}: made, and gone`);
        if (revokedAt !== undefined && !revoked) found.push(`${id}: revoked, and good again`);
        if (token?.revokingSince === undefined && token !== undefined && revoked)
          found.push(`${id}: revoked by no actor`);
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

/** All tokens with a record or an event. */
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
