import type { TokenId } from '@gatehouse/domain/tokens';
import pg from 'pg';
import { repeat } from '../stage/repeat.ts';

const LOOK_EVERY_MS = 25;

/** Watches the stored last use of each token while requests are answered. Times are of the wall clock. */
export async function watchUsage(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const stored = new Map<TokenId, number>();
  const wrong: string[] = [];
  let answered: { readonly id: TokenId; readonly sentAt: number }[] = [];

  async function look(): Promise<void> {
    const { rows } = await client.query<{ token_id: TokenId; last_used_at: Date }>(
      'select token_id, last_used_at from token_usage where last_used_at is not null',
    );
    const now = Date.now();
    for (const { token_id: id, last_used_at } of rows) {
      const at = last_used_at.getTime();
      if (at < (stored.get(id) ?? 0)) wrong.push(`the last use of ${id} went back`);
      if (at > now) wrong.push(`the last use of ${id} is yet to come`);
      stored.set(id, at);
    }
  }

  const looking = repeat(LOOK_EVERY_MS, look);

  return {
    /** Violations: a last use that went back, or that is in the future. */
    wrong,
    /** Records that a request with this token, sent at this time, was answered. */
    used: (id: TokenId, sentAt: number) => void answered.push({ id, sentAt }),
    /**
     * Returns how long before `at` the earliest use was that is not stored, in milliseconds; 0 if all are stored. Call
     * it when no server is left that could store uses: earlier uses no longer count after the call.
     */
    async behind(at: number) {
      await look();
      const missing = answered.filter(({ id, sentAt }) => sentAt > (stored.get(id) ?? 0));
      answered = [];
      return missing.reduce((longest, { sentAt }) => Math.max(longest, at - sentAt), 0);
    },
    async [Symbol.asyncDispose]() {
      await looking.stop();
      await client.end();
    },
  };
}
