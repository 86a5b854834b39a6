import { atMost, type Figure, none, sized } from '@gatehouse/fault-figures';
import { statusOf } from '../stage/ask.ts';
import type { Fleet } from '../stage/fleet.ts';
import { metric } from '../stage/metrics.ts';
import { BOUND_MS, latenessesOf } from '../stage/revocation.ts';
import { measureRate, type SteadyLoad, startSteadyLoad } from '../stage/steady-load.ts';
import { until } from '../stage/until.ts';

const SIZE = sized({
  short: { measuredSeconds: 0.3, mostPerSecond: 50, revocations: 5 },
  full: { measuredSeconds: 5, mostPerSecond: Number.POSITIVE_INFINITY, revocations: 200 },
});

/** The earlier health check: it takes degraded servers out. */
export const asIfNotReady = (configuration: string) =>
  configuration.replace('http-check expect status 200', `http-check expect string '"status":"ready"'`);

const urlOf = ({ proxy, population }: Fleet) => `${proxy.url}${population.path}`;

/** Returns for each server whether it receives changes. */
export function hearing({ nodes }: Fleet): Promise<readonly boolean[]> {
  return Promise.all(
    nodes.map(async ({ opsUrl }) => (await metric(opsUrl, 'gatehouse_change_feed_trusted')) === 1),
  );
}

/** Resolves when every server receives changes, or none does. */
export function untilHearing(fleet: Fleet, wanted: boolean): Promise<number> {
  const isSo = async () => (await hearing(fleet)).every((state) => state === wanted);
  return until(wanted ? 'every server hears changes' : 'no server hears changes', isSo);
}

/**
 * Resolves when the servers' cached data is too old to be used: from then on, each request is answered from the
 * database.
 */
export function untilForgotten({ nodes }: Fleet): Promise<number> {
  const isTooOld = async ({ opsUrl }: Fleet['nodes'][number]) =>
    (await metric(opsUrl, 'gatehouse_change_feed_age_seconds')) * 1000 > BOUND_MS;
  return until('the cached data is too old', async () =>
    (await Promise.all(nodes.map(isTooOld))).every(Boolean),
  );
}

type Readiness = { readonly status: string; readonly reason?: string };

/** The servers' own /ready responses. */
export function readiness({ nodes }: Fleet): Promise<readonly Readiness[]> {
  return Promise.all(
    nodes.map(async ({ opsUrl }) => (await (await fetch(`${opsUrl}/ready`)).json()) as Readiness),
  );
}

/** Measures how many requests a second are answered behind haproxy. */
export const measureCapacity = (fleet: Fleet): Promise<number> =>
  measureRate(urlOf(fleet), fleet.population.token, SIZE.measuredSeconds);

/** Sends requests at half of the servers' throughput. */
export function startHalfLoad(fleet: Fleet, capacity: number): SteadyLoad {
  const rate = Math.max(1, Math.min(Math.floor(capacity / 2), SIZE.mostPerSecond));
  return startSteadyLoad(urlOf(fleet), fleet.population.token, rate);
}

/**
 * Revokes tokens that every server has accepted. Returns for each token and server the time of the last acceptance, in
 * milliseconds after the acknowledgement.
 */
export async function revokeKnown(fleet: Fleet): Promise<readonly number[]> {
  const urls = fleet.nodes.map(({ url }) => `${url}${fleet.population.path}`);
  const latenesses: number[] = [];
  for (let count = 0; count < SIZE.revocations; count += 1) {
    const token = await fleet.admin.issue();
    for (const url of [...urls, ...urls]) {
      const status = await statusOf(url, token.secret);
      if (status !== 200) throw new Error(`a token that was just made: ${status}`);
    }
    latenesses.push(...(await latenessesOf(urls, token.secret, () => fleet.admin.revoke(token))));
  }
  return latenesses;
}

export interface Measured {
  /** The servers' throughput from the database, in requests a second. */
  readonly capacity: number;
  /** The requests of the load, and the number not answered by 200. */
  readonly sent: number;
  readonly failed: number;
  readonly latenesses: readonly number[];
  /**
   * The longest time for which a token may be accepted after the acknowledgement of its revocation, in milliseconds.
   */
  readonly barMs: number;
}

/** The measurements while no server received changes. */
export function figuresOf(what: string, measured: Measured): readonly Figure[] {
  const { capacity, sent, failed, latenesses, barMs } = measured;
  const latest = Math.max(...latenesses);
  return [
    { name: `${what}: answered uncached`, measured: `${capacity.toFixed(0)} requests/s` },
    { name: 'requests sent meanwhile', measured: String(sent) },
    none('refused', failed),
    atMost(`${latenesses.length} last acceptances after a revocation, latest`, latest, barMs, 1),
  ];
}
