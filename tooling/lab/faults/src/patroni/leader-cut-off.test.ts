import { atMost, isFullSize, none, recordFigures, recordSkip, sized } from '@gatehouse/fault-figures';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNodes } from '../failover/start-nodes.ts';
import { untilReady, verdictOf } from '../stage/ask.ts';
import { type Ledger, openLedger } from '../stage/ledger.ts';
import type { ServerNode } from '../stage/node.ts';
import { repeat } from '../stage/repeat.ts';
import { BOUND_MS } from '../stage/revocation.ts';
import { sabotage } from '../stage/sabotage.ts';
import { until } from '../stage/until.ts';
import type { PatroniMember } from './member.ts';
import { openPopulatedCluster, type PopulatedCluster } from './populated.ts';
import { type Lost, type Replaced, replaceLeader } from './replaced-leader.ts';
import { whyImpossible } from './tools.ts';

const SIZE = sized({ short: { cutOff: 1, frozen: 1 }, full: { cutOff: 10, frozen: 5 } });
const ROUND_LIMIT_MS = 120_000;
/** How long servers may take to leave the old primary, after they are ready, in milliseconds. */
const LEFT_WITHIN_MS = 2000;

const NO_PROBE = sabotage({
  file: '/postgres/src/changes/change-feed.ts',
  find: 'if (!addressProbe) return;',
  replace: 'if (addressProbe !== null) return;',
});

if (whyImpossible !== undefined) recordSkip('D8', whyImpossible);

const seconds = (times: readonly number[]) =>
  `${(Math.min(...times) / 1000).toFixed(1)} s, ${(Math.max(...times) / 1000).toFixed(1)} s`;

describe.skipIf(whyImpossible !== undefined)('a leader that clients still reach', () => {
  let populated: PopulatedCluster;

  // Connections that haproxy closes are no danger, so it keeps them, unlike as documented.
  beforeAll(async () => {
    populated = await openPopulatedCluster({ closesOldConnections: false });
  });
  afterAll(() => populated[Symbol.asyncDispose]());

  /** Loses leaders one after the other under two servers, and a third one that does not test its address. */
  async function loseLeaders(lost: Lost, rounds: number, hasTwin: boolean) {
    const { cluster, population, settings } = populated;
    const nodes = await startNodes(2, settings);
    await using ending = new AsyncDisposableStack();
    for (const node of nodes) ending.use(node);
    const ledgers: Ledger[] = [];
    const replaced: Replaced[] = [];
    const wrong: string[] = [];
    const twinLatenesses: number[] = [];
    const keptConnections: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const twins = hasTwin ? await startNodes(1, { ...settings, ...NO_PROBE }) : [];
      const ledger = await openLedger(settings, population.email);
      ledgers.push(ledger);
      const one = await replaceLeader(populated, { nodes: [...nodes, ...twins], ledger, lost });
      await ledger[Symbol.asyncDispose]();
      twinLatenesses.push(...one.latenesses.slice(nodes.length));
      replaced.push({ ...one, latenesses: one.latenesses.slice(0, nodes.length) });
      for (const twin of twins) await twin[Symbol.asyncDispose]();
      await Promise.all(nodes.map(({ opsUrl }) => untilReady(opsUrl)));
      if (lost === 'Patroni frozen') keptConnections.push(...(await connectionsKeptTo(one.old)));
      wrong.push(...(await wrongAbout(nodes, one.good)), ...(await ledger.disagreements()));
      cluster.cut(one.old, false);
      if (lost === 'Patroni frozen') await restart(one.old);
      await cluster.untilComplete();
    }
    for (const ledger of ledgers) wrong.push(...(await ledger.disagreements()));
    const changes = {
      acknowledged: ledgers.reduce((sum, { counts }) => sum + counts.acknowledged, 0),
      failed: ledgers.reduce((sum, { counts }) => sum + counts.failed, 0),
    };
    return { replaced, wrong, twinLatenesses, keptConnections, changes };
  }

  /** Starts a member anew, as an operator does when its Patroni hangs. */
  async function restart(member: PatroniMember) {
    await member.kill();
    member.start();
  }

  async function wrongAbout(
    nodes: readonly ServerNode[],
    good: Replaced['good'],
  ): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const { url } of nodes) {
      for (const { id, secret } of good) {
        const status = await verdictOf(`${url}${populated.population.path}`, secret);
        if (status !== 200) wrong.push(`${id} is good: ${status}`);
      }
    }
    return wrong;
  }

  /** The connections of servers to a member that no longer leads, when they have had the time to close them. */
  async function connectionsKeptTo({ run }: Replaced['old']): Promise<readonly string[]> {
    const since = performance.now();
    let kept: readonly { session: string }[] = [];
    await until('servers have left the old primary', async () => {
      // A session whose commit waits for a standby, or for the lock of such a commit, does not notice that its client has
      // gone.
      kept = await run<{ session: string }>(
        `select format('%s since %s: %s, %s: %s', application_name, backend_start, state, wait_event, query) as session
          from pg_stat_activity where usename = 'gatehouse'
          and application_name <> 'gatehouse address probe'
          and wait_event is distinct from 'SyncRep' and wait_event_type is distinct from 'Lock'`,
      );
      return kept.length === 0 || performance.now() - since > LEFT_WITHIN_MS;
    });
    return kept.map(({ session }) => session);
  }

  test('that is cut off has acknowledged nothing that is lost, and no server believes it', {
    timeout: (SIZE.cutOff + 1) * ROUND_LIMIT_MS,
  }, async () => {
    const { replaced, wrong, changes } = await loseLeaders('cut off', SIZE.cutOff, false);
    const latenesses = replaced.flatMap((one) => one.latenesses);
    const ended = replaced.flatMap(({ sessionEndedAfterMs }) => sessionEndedAfterMs ?? []);
    recordFigures('D8', [
      { name: 'leaders cut off', measured: String(replaced.length) },
      {
        name: 'cut off: changes acknowledged, refused',
        measured: `${changes.acknowledged}, ${changes.failed}`,
      },
      none('cut off: changes lost, or tokens answered wrongly', wrong.length),
      atMost(
        `cut off: ${latenesses.length} last acceptances after a revocation at the new primary, latest`,
        Math.max(...latenesses),
        BOUND_MS,
        1,
      ),
      {
        name: 'cut off: until the old leader closed its sessions, at least, at most',
        measured: seconds(ended),
      },
      {
        name: 'cut off: until the new primary answered, at least, at most',
        measured: seconds(replaced.map(({ newAfterMs }) => newAfterMs)),
      },
    ]);
    expect(wrong).toEqual([]);
    expect(Math.max(...latenesses)).toBeLessThanOrEqual(BOUND_MS);
    // Otherwise the old and the new primary would have been available at the same time.
    expect(ended).toHaveLength(replaced.length);
    expect(changes.failed).toBeGreaterThan(0);
  });

  test('whose Patroni is frozen goes on as a primary, and is left by all servers that test their address', {
    timeout: (SIZE.frozen + 1) * ROUND_LIMIT_MS,
  }, async () => {
    const { replaced, wrong, twinLatenesses, keptConnections, changes } = await loseLeaders(
      'Patroni frozen',
      SIZE.frozen,
      true,
    );
    const latenesses = replaced.flatMap((one) => one.latenesses);
    recordFigures('D8', [
      { name: 'leaders whose Patroni was frozen', measured: String(replaced.length) },
      {
        name: 'frozen: changes acknowledged, refused',
        measured: `${changes.acknowledged}, ${changes.failed}`,
      },
      none('frozen: changes lost, or tokens answered wrongly', wrong.length),
      atMost(
        `frozen: ${latenesses.length} last acceptances after a revocation at the new primary, latest`,
        Math.max(...latenesses),
        BOUND_MS,
        1,
      ),
      {
        name: 'standbys that did not follow by themselves, and were copied again',
        measured: String(populated.cluster.copied),
      },
      none('frozen: connections to the old primary that servers kept', keptConnections.length),
      {
        name: 'frozen: until the new primary answered, at least, at most',
        measured: seconds(replaced.map(({ newAfterMs }) => newAfterMs)),
      },
      {
        name: 'frozen: servers that do not test their address and accepted the token for longer than 1 s',
        measured: `${twinLatenesses.filter((late) => late > BOUND_MS).length} of ${twinLatenesses.length}`,
      },
    ]);
    expect(wrong).toEqual([]);
    expect(Math.max(...latenesses)).toBeLessThanOrEqual(BOUND_MS);
    expect(keptConnections).toEqual([]);
    // The old primary did go on running: a server without the protection believes it.
    expect(Math.min(...twinLatenesses)).toBeGreaterThan(BOUND_MS);
    expect(replaced.every(({ sessionEndedAfterMs }) => sessionEndedAfterMs === undefined)).toBe(true);
  });

  // The short size has the same twin without Patroni: D4.
  test.runIf(isFullSize)(
    'loses what it acknowledged without synchronous_mode, which is detected',
    {
      timeout: 2 * ROUND_LIMIT_MS,
    },
    async () => {
      const { cluster, population, settings } = populated;
      await cluster.configure({ synchronous_mode: false });
      const old = await cluster.leader();
      await until('commits wait for no standby', async () => {
        const [row] = await old.run<{ names: string }>(
          "select current_setting('synchronous_standby_names') as names",
        );
        return row?.names === '';
      });
      await using ledger = await openLedger(settings, population.email);
      const changing = repeat(5, async () => {
        const token = await ledger.create();
        if (token) await ledger.revoke(token);
      });
      await until('there are changes', () => ledger.counts.acknowledged >= 50);
      cluster.cut(old, true);
      await cluster.untilLedElsewhere(old);
      await changing.stop();
      const lost = await ledger.disagreements();
      recordFigures('D8', [
        {
          name: 'cut off, without synchronous_mode: changes acknowledged, lost',
          measured: `${ledger.counts.acknowledged}, ${lost.length}`,
        },
      ]);
      expect(lost.length).toBeGreaterThan(0);
    },
  );
});
