import { setTimeout as delay } from 'node:timers/promises';
import { atMost, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { openRelay } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { adminOf, type IssuedToken } from '../stage/admin.ts';
import { statusOf, untilStatus, verdictOf } from '../stage/ask.ts';
import { metric } from '../stage/metrics.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { type Population, populate, settingsOf } from '../stage/population.ts';
import { BOUND_MS, latenessesOf } from '../stage/revocation.ts';
import { sabotage } from '../stage/sabotage.ts';
import { canHaveStandby, startPair } from '../stage/standby.ts';
import { openInstallation } from '../stage/store.ts';

const SIZE = sized({ short: { revocations: 2 }, full: { revocations: 20 } });
const TIMEOUT_MS = 60_000 + SIZE.revocations * 10_000;
/** The answers of a standby are used. */
const SABOTAGE = sabotage({
  file: '/primary-only.ts',
  find: 'case when pg_is_in_recovery()',
  replace: 'case when false',
});

/** How long the pool leads to the standby after a revocation, in milliseconds. */
const AWAY_MS = 2 * BOUND_MS;

if (!canHaveStandby) recordSkip('R3', 'a pool that leads to a standby: there is none on this machine');

/** A server's responses while its pool led to the standby. */
interface Meanwhile {
  /** The status of a request with a token that only the primary has. */
  readonly unknown: number | undefined;
  readonly ready: number;
  readonly says: string;
  readonly trusted: number;
}

/**
 * Revokes cached tokens after redirecting the server's pool to a standby with the old records, while the feed still
 * receives changes from the primary. Returns for each how long it was accepted, and the reported reasons.
 */
async function revokeWhileOnStandby(revocations: number, more: Settings = {}) {
  const issued: IssuedToken[] = [];
  let population: Population | undefined;
  await using pair = await startPair(async (url) => {
    population = await populate(settingsOf(url));
    await using store = openInstallation(settingsOf(url));
    const admin = await adminOf(store, population.email);
    while (issued.length < revocations) issued.push(await admin.issue());
  });
  if (!population) throw new Error('there is nothing in the database');
  const created = population;
  let target = pair.url;
  await using relay = await openRelay(pair.url, { leadsTo: () => target });
  await using store = openInstallation(settingsOf(pair.url));
  const admin = await adminOf(store, created.email);
  await using node = await startNode({
    ...settingsOf(relay.url),
    DATABASE_LISTEN_URL: pair.url,
    ...more,
  });
  const url = `${node.url}${created.path}`;
  await untilStatus(200, url, created.token);

  const latenesses: number[] = [];
  const meanwhile: Meanwhile[] = [];
  for (const token of issued) {
    for (const _ of [1, 2, 3]) expect(await verdictOf(url, token.secret)).toBe(200);
    target = pair.standbyUrl;
    relay.cutAll();
    let back: Promise<void> | undefined;
    const revoke = async () => {
      await admin.revoke(token);
      back = delay(AWAY_MS).then(async () => {
        // The standby does not have this token.
        const unknown = await statusOf(url, (await admin.issue()).secret);
        const ready = await fetch(`${node.opsUrl}/ready`);
        const trusted = await metric(node.opsUrl, 'gatehouse_change_feed_trusted');
        meanwhile.push({ unknown, ready: ready.status, says: await ready.text(), trusted });
        target = pair.url;
      });
    };
    latenesses.push(...(await latenessesOf([url], token.secret, revoke)));
    await back;
  }
  return { latest: Math.max(...latenesses), meanwhile };
}

test.skipIf(!canHaveStandby)(
  'a pool that leads to a standby delays no revocation, is reported by /ready, and recovers when it leads to the primary again',
  { timeout: TIMEOUT_MS },
  async () => {
    const { latest, meanwhile } = await revokeWhileOnStandby(SIZE.revocations);
    const guesses = meanwhile.filter(({ unknown }) => unknown !== 503).length;
    recordFigures('R3', [
      atMost(
        `a pool on a standby: ${SIZE.revocations} revocations, last acceptance after the acknowledgement`,
        latest,
        BOUND_MS,
        1,
      ),
      none('requests answered from the standby', guesses),
    ]);
    expect(latest).toBeLessThanOrEqual(BOUND_MS);
    for (const one of meanwhile) {
      const says = expect.stringMatching(/^{"status":"degraded".*DATABASE_URL leads to a standby/);
      expect(one).toEqual({ unknown: 503, ready: 200, says, trusted: 1 });
    }
  },
);

test.skipIf(!canHaveStandby)(
  'a pool that leads to a standby is detected in a server that uses its answers',
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    const { latest, meanwhile } = await revokeWhileOnStandby(1, SABOTAGE);
    expect(latest).toBeGreaterThan(BOUND_MS);
    expect(meanwhile).toMatchObject([{ unknown: 401, says: '{"status":"ready"}' }]);
  },
);
