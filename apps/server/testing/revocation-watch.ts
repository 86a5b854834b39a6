import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '@gatehouse/fault-figures';
import { call } from './client.ts';
import type { ApiToken, Cluster } from './cluster.ts';
import type { ServedNode } from './serve-node.ts';

/** No request sent so long after a revocation was acknowledged may be accepted, in milliseconds. */
export const BOUND_MS = 1000;

/** Where a node can tell nothing for so long, in milliseconds, the test is wrong. */
const PATIENCE_MS = 20_000;

/** Within this, every moment counts: requests follow each other at once, in milliseconds. */
const CLOSELY_MS = 50;

/** When the last request was sent that was accepted all the same, in milliseconds after the acknowledgement. */
type Lateness = number;

/** Asks with a token, request after request, until it is refused or accepted accepted later than 1 s. */
function watch(node: ServedNode, path: string, { secret }: ApiToken) {
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
      if (lateness > PATIENCE_MS) throw new Error('the token is neither accepted nor refused');
    }
  }
  return {
    acknowledged() {
      acknowledgedAt = performance.now();
    },
    decided: untilDecided(),
  };
}

/** Makes every node know the tokens; from the second answer on they are accepted from memory. */
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

/** Revokes a token while every node is asked with it; answers for each node how late it accepted it last. */
export async function latenessOf(cluster: Cluster, token: ApiToken): Promise<readonly Lateness[]> {
  const watches = cluster.nodes.map((node) => watch(node, cluster.path, token));
  const revoked = cluster.revoke(token).then(() => {
    for (const { acknowledged } of watches) acknowledged();
  });
  const [latenesses] = await Promise.all([Promise.all(watches.map(({ decided }) => decided)), revoked]);
  return latenesses.map((lateness) => (Number.isFinite(lateness) ? lateness : 0));
}

/** The same for many tokens, so many at a time. */
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

/** Those that some node accepts after all. */
export async function accepted({ nodes, path }: Cluster, tokens: readonly ApiToken[]) {
  const found: ApiToken[] = [];
  for (const token of tokens) {
    for (const node of nodes) {
      if ((await verdictOf(`${node.url}${path}`, token.secret)) !== 401) found.push(token);
    }
  }
  return found;
}

/** A 503 is no verdict: it is asked again, so that a busy machine alone turns no test red. */
async function verdictOf(url: string, token: string): Promise<number> {
  const since = performance.now();
  for (;;) {
    const { status } = await call(url, '', { token });
    if (status !== 503 || performance.now() - since > PATIENCE_MS) return status;
    await delay(10);
  }
}

/** How long after its acknowledgement a revocation was still not heeded, by the bars in milliseconds. */
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
    {
      name: 'accepted later than 1 s',
      measured: String(outOfTime(latenesses).length),
      bar: '0',
      holds: outOfTime(latenesses).length === 0,
    },
  ];
}
