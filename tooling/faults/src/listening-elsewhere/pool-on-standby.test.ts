import { setTimeout as delay } from 'node:timers/promises';
import { recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { openRelay } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { statusOf, untilStatus, verdictOf } from '../stage/ask.ts';
import { metric } from '../stage/metrics.ts';
import { type Settings, startNode } from '../stage/node.ts';
import { type Population, populate } from '../stage/population.ts';
import { BOUND_MS, latenessesOf } from '../stage/revocation.ts';
import { canHaveStandby, startPair } from '../stage/standby.ts';
import { openInstallation, type Store, unwrap } from '../stage/store.ts';

const SIZE = sized({ short: { revocations: 2 }, full: { revocations: 20 } });
const TIMEOUT_MS = 60_000 + SIZE.revocations * 10_000;
const SABOTAGE = new URL('trust-standbys.ts', import.meta.url).href;
const MASTER_KEY = { GATEHOUSE_MASTER_KEY: 'A'.repeat(43) };

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

async function issue(store: Store, { email }: Population, name: string) {
  const admin = unwrap(await store.actAs(email, 'test'));
  const input = { name, format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
  return unwrap(await store.issueToken(admin, input));
}

/**
 * Revokes cached tokens after redirecting the server's pool to a standby with the old records, while the feed still
 * receives changes from the primary. Returns for each how long it was accepted, and the reported reasons.
 */
async function revokeWhileOnStandby(revocations: number, more: Settings = {}) {
  const issued: Awaited<ReturnType<typeof issue>>[] = [];
  let population: Population | undefined;
  await using pair = await startPair(async (url) => {
    const settings = { DATABASE_URL: url, ...MASTER_KEY };
    population = await populate(settings);
    await using store = openInstallation(settings);
    while (issued.length < revocations) issued.push(await issue(store, population, `Token ${issued.length}`));
  });
  if (!population) throw new Error('there is nothing in the database');
  const created = population;
  let target = pair.url;
  await using relay = await openRelay(pair.url, { leadsTo: () => target });
  await using store = openInstallation({ DATABASE_URL: pair.url, ...MASTER_KEY });
  const admin = unwrap(await store.actAs(created.email, 'test'));
  await using node = await startNode({
    ...MASTER_KEY,
    DATABASE_URL: relay.url,
    DATABASE_LISTEN_URL: pair.url,
    ...more,
  });
  const url = `${node.url}${created.path}`;
  await untilStatus(200, url, created.token);

  const latenesses: number[] = [];
  const meanwhile: Meanwhile[] = [];
  for (const { secret, record } of issued) {
    for (const _ of [1, 2, 3]) expect(await verdictOf(url, secret)).toBe(200);
    target = pair.standbyUrl;
    relay.cutAll();
    let back: Promise<void> | undefined;
    const revoke = async () => {
      await store.revokeToken(admin, { id: record.id, reason: null });
      back = delay(AWAY_MS).then(async () => {
        // The standby does not have this token.
        const { secret } = await issue(store, created, `New ${record.name}`);
        const unknown = await statusOf(url, secret);
        const ready = await fetch(`${node.opsUrl}/ready`);
        const trusted = await metric(node.opsUrl, 'gatehouse_change_feed_trusted');
        meanwhile.push({ unknown, ready: ready.status, says: await ready.text(), trusted });
        target = pair.url;
      });
    };
    latenesses.push(...(await latenessesOf([url], secret, revoke)));
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
      {
        name: `a pool on a standby: ${SIZE.revocations} revocations, last acceptance after the acknowledgement`,
        measured: `${latest.toFixed(1)} ms`,
        bar: `≤ ${BOUND_MS} ms`,
        holds: latest <= BOUND_MS,
      },
      {
        name: 'requests answered from the standby',
        measured: String(guesses),
        bar: '0',
        holds: guesses === 0,
      },
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
    const sabotaged = { NODE_OPTIONS: `--import=${SABOTAGE}` };
    const { latest, meanwhile } = await revokeWhileOnStandby(1, sabotaged);
    expect(latest).toBeGreaterThan(BOUND_MS);
    expect(meanwhile).toMatchObject([{ unknown: 401, says: '{"status":"ready"}' }]);
  },
);
