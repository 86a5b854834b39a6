import { recordSkip } from '@gatehouse/fault-figures';
import { openRelay } from '@gatehouse/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statusOf, untilReady, untilStatus } from '../stage/ask.ts';
import { runGatehouse } from '../stage/commands.ts';
import { startNode } from '../stage/node.ts';
import { type Population, populate, settingsOf } from '../stage/population.ts';
import { canHaveStandby, startPair } from '../stage/standby.ts';
import { until } from '../stage/until.ts';

const STANDBY =
  'the database is not available: DATABASE_URL leads to a standby, and has to lead to the primary';
const TIMEOUT_MS = 120_000;

if (!canHaveStandby) recordSkip('R3', 'an address that leads to a standby: there is none on this machine');

const ending = new AsyncDisposableStack();
let pair: Awaited<ReturnType<typeof startPair>>;
let created: Population;

beforeAll(async () => {
  if (!canHaveStandby) return;
  const fill = async (url: string) => {
    created = await populate(settingsOf(url));
  };
  pair = ending.use(await startPair(fill));
}, TIMEOUT_MS);
afterAll(() => ending.disposeAsync());

test.skipIf(!canHaveStandby)(
  'a server and commands whose database is a standby say so in one line, and exit with 1',
  { timeout: TIMEOUT_MS },
  async () => {
    const settings = settingsOf(pair.standbyUrl);
    await expect(startNode(settings)).rejects.toThrow(
      `the server ended (1): Gatehouse cannot start: ${STANDBY}`,
    );
    for (const args of [['account', 'list'], ['migrate'], ['key', 'create'], ['token', 'watch']]) {
      const { status, out, errors } = await runGatehouse(settings, args);
      expect([args, status, out, errors]).toEqual([args, 1, '', `error: ${STANDBY}\n`]);
    }
    const { status, out } = await runGatehouse(settings, ['doctor']);
    expect([status, out]).toEqual([6, expect.stringContaining(`FINDING  T${STANDBY.slice(1)}.`)]);
  },
);

test.skipIf(!canHaveStandby).for(['1', '2'])(
  'a primary that becomes a standby stops answers, is named by /ready and the log, and is used again as a primary, with WORKERS=%s',
  { timeout: TIMEOUT_MS },
  async (WORKERS) => {
    let target = pair.url;
    await using relay = await openRelay(pair.url, { leadsTo: () => target });
    await using node = await startNode({ ...settingsOf(relay.url), WORKERS });
    const url = `${node.url}${created.path}`;
    await untilStatus(200, url, created.token);
    await untilReady(node.opsUrl);

    target = pair.standbyUrl;
    relay.cutAll();
    await untilStatus(503, url, created.token);
    const readiness = async () => {
      const response = await fetch(`${node.opsUrl}/ready`);
      return { status: response.status, ...((await response.json()) as object) };
    };
    await until('/ready names the standby', async () =>
      JSON.stringify(await readiness()).includes('standby'),
    );
    expect(await readiness()).toMatchObject({
      status: 503,
      title: `The database cannot be used: ${STANDBY}.`,
    });
    expect(node.log.join('\n')).toContain(
      '"reason":"the listening connection leads to a standby, which does not support LISTEN"',
    );
    // Cached data is older than the limit by now, so no answer comes from before the change.
    for (let count = 0; count < 20; count += 1) expect(await statusOf(url, created.token)).toBe(503);

    target = pair.url;
    await untilStatus(200, url, created.token);
    await untilReady(node.opsUrl);
  },
);
