import { setTimeout as delay } from 'node:timers/promises';
import { recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { migrateToLatest, openDatabase } from '@gatehouse/postgres';
import { createTestDatabase, hasPgBouncer, startPgBouncer } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { verdictOf } from '../stage/ask.ts';
import { metric } from '../stage/metrics.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { populate } from '../stage/population.ts';
import { BOUND_MS, latenessesOf } from '../stage/revocation.ts';
import { canHaveStandby, startPair } from '../stage/standby.ts';
import { openInstallation, unwrap } from '../stage/store.ts';

const SIZE = sized({ short: { revocations: 3 }, full: { revocations: 200 } });
const TIMEOUT_MS = 60_000 + SIZE.revocations * 1_000;
const SABOTAGE = new URL('trust-anything.ts', import.meta.url).href;
const MASTER_KEY = { GATEHOUSE_MASTER_KEY: 'A'.repeat(43) };

/** Where a server's pool and its listening connection lead. */
interface Ways extends AsyncDisposable {
  readonly url: string;
  readonly listenUrl: string;
}

type Elsewhere = () => Promise<Ways>;

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
  const opened = openDatabase({ url: other.url, poolSize: 1 });
  await migrateToLatest(opened);
  await opened.close();
  return {
    url: database.url,
    listenUrl: other.url,
    [Symbol.asyncDispose]: async () => void (await Promise.all([database.drop(), other.drop()])),
  };
};

const toStandby: Elsewhere = async () => {
  const pair = await startPair(async (url) => {
    const opened = openDatabase({ url, poolSize: 1 });
    await migrateToLatest(opened);
    await opened.close();
  });
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
  const settings = { DATABASE_URL: url, ...MASTER_KEY };
  const { email, path } = await populate(settings);
  await using store = openInstallation(settings);
  const admin = unwrap(await store.actAs(email, 'test'));
  await using node = await startNode({ ...settings, DATABASE_LISTEN_URL: listenUrl, ...more });
  const latenesses: number[] = [];
  let trusted = 0;
  for (let serial = 0; serial < revocations; serial += 1) {
    const input = { name: `Token ${serial}`, format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
    const { secret, record } = unwrap(await store.issueToken(admin, input));
    for (const _ of [1, 2, 3]) expect(await verdictOf(`${node.url}${path}`, secret)).toBe(200);
    const revoke = () => store.revokeToken(admin, { id: record.id, reason: null });
    latenesses.push(...(await latenessesOf([`${node.url}${path}`], secret, revoke)));
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
      {
        name: `listening ${leads}: ${SIZE.revocations} revocations, last acceptance after the acknowledgement`,
        measured: `${latest.toFixed(1)} ms`,
        bar: `≤ ${BOUND_MS} ms`,
        holds: latest <= BOUND_MS,
      },
      { name: 'times that the feed was trusted', measured: String(trusted), bar: '0', holds: trusted === 0 },
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
  const sabotaged = { NODE_OPTIONS: `--import=${SABOTAGE}` };
  const { latest, trusted } = await revokeWhileListening(ways, 1, sabotaged);
  expect(latest).toBeGreaterThan(BOUND_MS);
  expect(trusted).toBe(1);
});
