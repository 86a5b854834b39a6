import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { migrateToLatest, openDatabase } from '@gatehouse/postgres';
import { createTestDatabase, hasPgBouncer, startPgBouncer } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { adminOf } from '../stage/admin.ts';
import { verdictOf } from '../stage/ask.ts';
import { metric } from '../stage/metrics.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { populate, settingsOf } from '../stage/population.ts';
import { BOUND_MS, latenessesOf } from '../stage/revocation.ts';
import { sabotage } from '../stage/sabotage.ts';
import { canHaveStandby, startPair } from '../stage/standby.ts';
import { openInstallation } from '../stage/store.ts';

const SIZE = sized({ short: { revocations: 3 }, full: { revocations: 200 } });
const TIMEOUT_MS = 60_000 + SIZE.revocations * 1_000;
/** Every answered heartbeat is trusted. */
const SABOTAGE = sabotage({
  file: '/change-feed-trust.ts',
  find: '  if (pid !== announcedPid) {',
  replace: '  if (announcedPid !== null) return undefined;\n  if (pid !== announcedPid) {',
});

/** Where a server's pool and its listening connection lead. */
interface Ways extends AsyncDisposable {
  readonly url: string;
  readonly listenUrl: string;
}

type Elsewhere = () => Promise<Ways>;

async function migrate(url: string): Promise<void> {
  const opened = openDatabase({ url, poolSize: 1 });
  await migrateToLatest(opened);
  await opened.close();
}

const throughPooler: Elsewhere = async () => {
  const database = await createTestDatabase();
  const pooler = await startPgBouncer(database.url);
  return {
    url: database.url,
    listenUrl: pooler.url,
    async [Symbol.asyncDispose]() {
      await pooler.close();
      await database.drop();
    },
  };
};

const toAnotherDatabase: Elsewhere = async () => {
  const [database, other] = [await createTestDatabase(), await createTestDatabase()];
  await migrate(other.url);
  return {
    url: database.url,
    listenUrl: other.url,
    [Symbol.asyncDispose]: async () => void (await Promise.all([database.drop(), other.drop()])),
  };
};

const toStandby: Elsewhere = async () => {
  const pair = await startPair(migrate);
  return { ...pair, listenUrl: pair.standbyUrl };
};

const ELSEWHERE: readonly { leads: string; elsewhere: Elsewhere; why: RegExp; isPossible: boolean }[] = [
  {
    leads: 'through a transaction pooler',
    elsewhere: throughPooler,
    why: /connection pooler/,
    isPossible: hasPgBouncer(),
  },
  { leads: 'to another database', elsewhere: toAnotherDatabase, why: /the same database/, isPossible: true },
  { leads: 'to a standby', elsewhere: toStandby, why: /a standby/, isPossible: canHaveStandby },
];
for (const { leads, isPossible } of ELSEWHERE) {
  if (!isPossible)
    recordSkip('R3', `a listening connection that leads ${leads}: there is none on this machine`);
}

/** Revokes tokens that a server has cached, and returns when it accepted them last, and whether it trusted its feed. */
async function revokeWhileListening({ url, listenUrl }: Ways, revocations: number, more: Settings = {}) {
  const settings = settingsOf(url);
  const { email, path } = await populate(settings);
  await using store = openInstallation(settings);
  const admin = await adminOf(store, email);
  await using node = await startNode({ ...settings, DATABASE_LISTEN_URL: listenUrl, ...more });
  const latenesses: number[] = [];
  let trusted = 0;
  for (let serial = 0; serial < revocations; serial += 1) {
    const token = await admin.issue();
    for (const _ of [1, 2, 3]) expect(await verdictOf(`${node.url}${path}`, token.secret)).toBe(200);
    const revoke = () => admin.revoke(token);
    latenesses.push(...(await latenessesOf([`${node.url}${path}`], token.secret, revoke)));
    trusted += await metric(node.opsUrl, 'gatehouse_change_feed_trusted');
    // Waits for one or two more attempts of the feed.
    await delay(300);
  }
  const ready = await fetch(`${node.opsUrl}/ready`);
  return { latest: Math.max(...latenesses), trusted, ready: ready.status, says: await ready.text() };
}

test.for(ELSEWHERE.filter(({ isPossible }) => isPossible))(
  'a listening connection that leads $leads is never trusted, and delays no revocation',
  { timeout: TIMEOUT_MS },
  async ({ leads, elsewhere, why }) => {
    await using ways = await elsewhere();
    const { latest, trusted, ready, says } = await revokeWhileListening(ways, SIZE.revocations);
    recordFigures('R3', [
      atMost(
        `listening ${leads}: ${SIZE.revocations} revocations, last acceptance after the acknowledgement`,
        latest,
        BOUND_MS,
        1,
      ),
      none('times that the feed was trusted', trusted),
    ]);
    expect(latest).toBeLessThanOrEqual(BOUND_MS);
    expect(trusted).toBe(0);
    expect([ready, says]).toEqual([200, expect.stringMatching(/^\{"status":"degraded"/)]);
    expect(says).toMatch(why);
  },
);

test('a server that trusts every answered heartbeat is detected', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using ways = await toAnotherDatabase();
  const { latest, trusted } = await revokeWhileListening(ways, 1, SABOTAGE);
  expect(latest).toBeGreaterThan(BOUND_MS);
  expect(trusted).toBe(1);
});
