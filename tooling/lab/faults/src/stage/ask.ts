import { setTimeout as delay } from 'node:timers/promises';
import { until } from './until.ts';

/** The time limit for a decision, in milliseconds. */
const DECIDED_WITHIN_MS = 20_000;

/** The status of a response; undefined without one. */
export async function statusOf(url: string, token?: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(10_000),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

/**
 * The status of a verdict on a token. A 503 is not a verdict: on a busy machine a read may exceed its time limit, and
 * the client should retry.
 */
export async function verdictOf(url: string, token: string): Promise<number | undefined> {
  const since = performance.now();
  for (;;) {
    const status = await statusOf(url, token);
    if (status !== 503 || performance.now() - since > DECIDED_WITHIN_MS) return status;
    await delay(10);
  }
}

/** Repeats the request until it has this status. Returns the duration in milliseconds. */
export function untilStatus(wanted: number, url: string, token?: string): Promise<number> {
  return until(`${url} answers ${wanted}`, async () => (await statusOf(url, token)) === wanted);
}

/** Repeats the request until the server is ready and not degraded. Returns the duration in milliseconds. */
export function untilReady(opsUrl: string): Promise<number> {
  return until(`${opsUrl} is ready`, async () => {
    const response = await fetch(`${opsUrl}/ready`).catch(() => undefined);
    return ((await response?.json()) as { status?: unknown } | undefined)?.status === 'ready';
  });
}
