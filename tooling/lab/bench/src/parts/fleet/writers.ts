// Revokes tokens by the use case, several at once and without a pause, and reports how many it revoked.
import { OPERATOR, openInstallation, unwrap } from '@gatehouse/faults/store';
import type { WritersOrder, WritersReport } from './messages.ts';

const { DATABASE_URL = '', GATEHOUSE_MASTER_KEY = '' } = process.env;
const store = openInstallation({ DATABASE_URL, GATEHOUSE_MASTER_KEY });

process.on('message', async ({ tokens, atOnce, seconds }: WritersOrder) => {
  const admins = new Map<string, Awaited<ReturnType<typeof adminOf>>>();
  for (const { email } of tokens) if (!admins.has(email)) admins.set(email, await adminOf(email));
  const begun = performance.now();
  const until = begun + seconds * 1000;
  const left = tokens.values();
  let revoked = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const { id, email } of left) {
        const admin = admins.get(email);
        if (admin === undefined) throw new Error(`there is no user ${email}`);
        unwrap(await store.revokeToken(admin, { id, reason: null }));
        revoked += 1;
        if (performance.now() >= until) return;
      }
      throw new Error('there were too few tokens to revoke');
    }),
  );
  process.send?.({ revoked, seconds: (performance.now() - begun) / 1000 } satisfies WritersReport);
});
process.on('disconnect', () => void store[Symbol.asyncDispose]());

async function adminOf(email: string) {
  return unwrap(await store.actAs(email, OPERATOR));
}
