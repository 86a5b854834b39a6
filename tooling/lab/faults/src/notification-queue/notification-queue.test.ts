import { setTimeout as delay } from 'node:timers/promises';
import { recordFigures, recordSkip } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import {
  asIfNotReady,
  figuresOf,
  hearing,
  measureCapacity,
  readiness,
  revokeKnown,
  startHalfLoad,
  untilHearing,
} from '../degraded/degraded-fleet.ts';
import { runGatehouse } from '../stage/commands.ts';
import { type FleetOptions, openFleet } from '../stage/fleet.ts';
import { hasHaproxy } from '../stage/haproxy.ts';
import { BOUND_MS } from '../stage/revocation.ts';
import { sabotage } from '../stage/sabotage.ts';
import { until } from '../stage/until.ts';
import { breakQueue } from './break-queue.ts';
import { hasOlderPostgres, startOlderPostgres } from './older-postgres.ts';

const LIMIT = { timeout: 300_000 };
/** A server can get past the broken notification by itself; see openBroken. */
const RETRIED = { ...LIMIT, retry: 2 };
/** The message of servers and doctor: PostgreSQL's words, then the remedies. */
const BROKEN = /notification queue of PostgreSQL is broken \(could not access status of transaction \d+\)/;
const WITH_REMEDY = new RegExp(String.raw`${BROKEN.source}.*run "select pg_notification_queue_usage\(\)"`);
/** Servers retry, but do not repair the queue. */
const NO_REPAIR = sabotage({
  file: '/listening-connection.ts',
  find: "'select pg_notification_queue_usage()'",
  replace: "'select 1'",
});

if (!hasHaproxy) recordSkip('R8', 'haproxy is not installed (apt-get install haproxy)');
if (!hasOlderPostgres) recordSkip('R8', 'there is no PostgreSQL 17.6 for this machine');

/** Two servers behind haproxy, on a PostgreSQL with a broken queue, so that neither receives changes. */
async function openBroken(more: Pick<FleetOptions, 'more' | 'change'> = {}) {
  await using ending = new AsyncDisposableStack();
  const postgres = ending.use(await startOlderPostgres());
  const options = { databaseUrl: postgres.url, servers: ['none', 'none'] as const };
  const fleet = ending.use(await openFleet({ ...options, ...more }));
  await untilHearing(fleet, true);
  const queue = ending.use(await breakQueue(postgres));
  await fleet.proxy.untilUp(2);
  /** A server that listens while another one fails to do so can get past the broken notification. */
  const endLuckyListeners = async () => {
    if ((await hearing(fleet)).includes(true)) await queue.endListeners();
  };
  await until('haproxy takes out both servers, which name the broken queue', async () => {
    await endLuckyListeners();
    const states = await readiness(fleet);
    return (await fleet.proxy.upCount()) === 0 && states.every(({ reason = '' }) => BROKEN.test(reason));
  });
  const kept = ending.move();
  return { fleet, queue, endLuckyListeners, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

describe.skipIf(!hasHaproxy || !hasOlderPostgres)('a broken notification queue', () => {
  test('refuses no request, delays no revocation, and is repaired once that is possible', LIMIT, async () => {
    await using broken = await openBroken();
    const { fleet, queue, endLuckyListeners } = broken;
    const examine = async () => {
      await endLuckyListeners();
      return runGatehouse(fleet.settings, ['doctor']);
    };
    const found = { status: 6, out: expect.stringMatching(WITH_REMEDY) };
    await expect.poll(examine, { timeout: 60_000 }).toMatchObject(found);

    const capacity = await measureCapacity(fleet);
    const load = startHalfLoad(fleet, capacity);
    const latenesses = await revokeKnown(fleet);
    // Two servers that listen at the same time can skip the broken entry.
    const degradedToTheEnd = (await readiness(fleet)).filter(({ status }) => status === 'degraded').length;
    await queue.letGo();
    const repairedAfter = await untilHearing(fleet, true);
    await fleet.proxy.untilUp(2);
    const { sent, failed } = await load.stop();
    const measured = { capacity, sent, failed, latenesses, barMs: BOUND_MS };
    recordFigures('R8', [
      ...figuresOf('broken queue on both servers', measured),
      {
        name: 'servers that were degraded until the queue could be repaired',
        measured: String(degradedToTheEnd),
      },
      { name: 'all servers receive changes again after', measured: `${repairedAfter.toFixed(0)} ms` },
    ]);
    expect(sent).toBeGreaterThan(0);
    expect(failed).toBe(0);
    expect(Math.max(...latenesses)).toBeLessThanOrEqual(BOUND_MS);
    expect(await readiness(fleet)).toEqual([{ status: 'ready' }, { status: 'ready' }]);
  });

  test(
    'stays broken if servers do not repair it, and stops servers that a health check takes out',
    RETRIED,
    async () => {
      await using broken = await openBroken({ more: NO_REPAIR, change: asIfNotReady });
      const { fleet, queue } = broken;
      const load = startHalfLoad(fleet, 100);
      await queue.letGo();
      // Waits for several attempts to listen.
      await delay(3_000);
      const { failed } = await load.stop();
      expect(failed).toBeGreaterThan(0);
      expect(await readiness(fleet)).toMatchObject([{ status: 'degraded' }, { status: 'degraded' }]);
    },
  );
});
