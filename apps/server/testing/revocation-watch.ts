import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '@gatehouse/fault-figures';
import { call } from './client.ts';
import type { ApiToken, Cluster } from './cluster.ts';
import type { PostgresServer } from './postgres-server.ts';

/** No request may be accepted that is sent this long after the acknowledgement of a revocation, in milliseconds. */
export const BOUND_MS = 1000;

/** If a node gives no verdict for this long, the test fails. In milliseconds. */
const VERDICT_LIMIT_MS = 20_000;

/** During this time requests follow each other without a pause, in milliseconds. */
const CLOSELY_MS = 50;

/** When the last accepted request was sent, in milliseconds after the acknowledgement. */
type Lateness = number;

/** Sends requests with a token until one is refused, or one is accepted after `BOUND_MS`. */
function watch(node: PostgresServer, path: string, { secret }: ApiToken) {
  let acknowledgedAt = Number.POSITIVE_INFINITY;
  let lastSentAt = Number.NEGATIVE_INFINITY;
  async function untilDecided(): Promise<Lateness> {
    for (;;) {
      const sentAt = performance.now();
      const { status } = await call(node.url, path, { token: secret });
      const lateness = sentAt - acknowledgedAt;
      if (status === 200) lastSentAt = sentAt;
      else if (status !== 401 && status !== 503) throw new Error(`answered ${status}`);
      if (status === 401 || (status === 200 && lateness > BOUND_MS)) {
        return Math.max(0, lastSentAt - acknowledgedAt);
      }
      if (lateness > CLOSELY_MS) await delay(5);
      if (lateness > VERDICT_LIMIT_MS) throw new Error('the token is neither accepted nor refused');
    }
  }
  return {
    acknowledged() {
      acknowledgedAt = performance.now();
    },
    decided: untilDecided(),
  };
}

/** Has every node cache the tokens, which happens with the first request. */
export async function warm({ nodes, path }: Cluster, tokens: readonly ApiToken[]): Promise<void> {
  for (const { secret } of tokens) {
    for (const node of nodes) {
      for (const _ of [1, 2]) {
        const status = await verdictOf(`${node.url}${path}`, secret);
        if (status !== 200) throw new Error(`not warm: ${status}`);
      }
    }
  }
}

/** Revokes a token while every node gets requests with it, and returns each node's lateness. */
export async function latenessOf(cluster: Cluster, token: ApiToken): Promise<readonly Lateness[]> {
  const watches = cluster.nodes.map((node) => watch(node, cluster.path, token));
  const revoked = cluster.revoke(token).then(() => {
    for (const { acknowledged } of watches) acknowledged();
  });
  const [latenesses] = await Promise.all([Promise.all(watches.map(({ decided }) => decided)), revoked]);
  return latenesses.map((lateness) => (Number.isFinite(lateness) ? lateness : 0));
}

/** The same for many tokens, several at a time. */
export async function latenessesOf(
  cluster: Cluster,
  tokens: readonly ApiToken[],
  atOnce: number,
): Promise<readonly Lateness[]> {
  const all: Lateness[] = [];
  const waiting = [...tokens];
  async function work() {
    for (let token = waiting.shift(); token; token = waiting.shift()) {
      all.push(...(await latenessOf(cluster, token)));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return all;
}

export const outOfTime = (latenesses: readonly Lateness[]) =>
  latenesses.filter((lateness) => lateness > BOUND_MS);

/** Returns the tokens that a node still accepts. */
export async function accepted({ nodes, path }: Cluster, tokens: readonly ApiToken[]) {
  const found: ApiToken[] = [];
  for (const token of tokens) {
    for (const node of nodes) {
      if ((await verdictOf(`${node.url}${path}`, token.secret)) !== 401) found.push(token);
    }
  }
  return found;
}

/** Repeats the request after a 503, which is no verdict, so that a busy machine does not fail the test. */
async function verdictOf(url: string, token: string): Promise<number> {
  const since = performance.now();
  for (;;) {
    const { status } = await call(url, '', { token });
    if (status !== 503 || performance.now() - since > VERDICT_LIMIT_MS) return status;
    await delay(10);
  }
}

/** A figure that has to be 0. */
export const noneOf = (name: string, found: readonly unknown[]): Figure => ({
  name,
  measured: String(found.length),
  bar: '0',
  holds: found.length === 0,
});

/** Summarizes how late revocations took effect, by percentile, with the limits in milliseconds. */
export function figuresOf(
  latenesses: readonly Lateness[],
  bars: { readonly p50?: number; readonly p99?: number } = {},
): readonly Figure[] {
  const sorted = latenesses.toSorted((a, b) => a - b);
  const figure = (name: string, part: number, bar: number | undefined): Figure => {
    const milliseconds = sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
    const measured = `${milliseconds.toFixed(1)} ms`;
    return { name, measured, ...(bar && { bar: `≤ ${bar} ms`, holds: milliseconds <= bar }) };
  };
  return [
    { name: 'last acceptances measured', measured: String(latenesses.length) },
    figure('p50', 0.5, bars.p50),
    figure('p99', 0.99, bars.p99),
    figure('latest', 1, BOUND_MS),
    noneOf('accepted later than 1 s', outOfTime(latenesses)),
  ];
}
