import { recordFigures, recordSkip } from '@gatehouse/fault-figures';
import { describe, expect, test } from 'vitest';
import { type Fleet, openFleet } from '../stage/fleet.ts';
import { hasHaproxy } from '../stage/haproxy.ts';
import { until } from '../stage/until.ts';
import {
  asIfNotReady,
  figuresOf,
  measureCapacity,
  readiness,
  revokeKnown,
  startHalfLoad,
  untilForgotten,
  untilHearing,
} from './degraded-fleet.ts';

const LIMIT = { timeout: 300_000 };
const WAYS = [
  { fault: 'R3', what: 'falls silent', how: 'silence' },
  { fault: 'R4', what: 'cannot be reached', how: 'cut' },
] as const;

if (!hasHaproxy) {
  for (const { fault } of WAYS)
    recordSkip(fault, 'all servers degraded: haproxy is not installed (apt-get install haproxy)');
}

/** Two servers behind haproxy, whose feeds use a proxy that can fail. */
async function withFleet<T>(use: (fleet: Fleet) => Promise<T>, change?: (configuration: string) => string) {
  await using fleet = await openFleet({ servers: ['feed', 'feed'], ...(change && { change }) });
  await untilHearing(fleet, true);
  await fleet.proxy.untilUp(2, 'degraded');
  return await use(fleet);
}

describe.skipIf(!hasHaproxy)('servers that cannot listen', () => {
  test.for(WAYS)(
    'because the database $what are all degraded: 0 requests refused, revocations exact',
    LIMIT,
    async ({ fault, what, how }) => {
      await withFleet(async (fleet) => {
        const set = async (failing: boolean) => {
          fleet.way[how](failing);
          await untilHearing(fleet, !failing);
        };
        await set(true);
        const capacity = await measureCapacity(fleet);
        await set(false);
        const load = startHalfLoad(fleet, capacity);
        await set(true);
        await fleet.proxy.untilUp(0);
        expect(await readiness(fleet)).toMatchObject([{ status: 'degraded' }, { status: 'degraded' }]);
        await untilForgotten(fleet);
        const latenesses = await revokeKnown(fleet);
        await set(false);
        await fleet.proxy.untilUp(2);
        const { sent, failed } = await load.stop();
        const measured = { capacity, sent, failed, latenesses, barMs: 0 };
        recordFigures(fault, figuresOf(`listening fails because the database ${what}`, measured));
        expect(sent).toBeGreaterThan(0);
        expect(failed).toBe(0);
        expect(Math.max(...latenesses)).toBe(0);
        expect(await readiness(fleet)).toEqual([{ status: 'ready' }, { status: 'ready' }]);
      });
    },
  );

  test('refuse requests behind a health check that takes degraded servers out', LIMIT, async () => {
    const failed = await withFleet(async (fleet) => {
      const load = startHalfLoad(fleet, 100);
      fleet.way.cut(true);
      await untilHearing(fleet, false);
      await fleet.proxy.untilUp(0);
      await until('a request fails', load.hasFailed);
      return (await load.stop()).failed;
    }, asIfNotReady);
    expect(failed).toBeGreaterThan(0);
  });
});
