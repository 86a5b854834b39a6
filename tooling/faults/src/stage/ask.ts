import { setTimeout as delay } from 'node:timers/promises';
import { until } from './until.ts';

/** A server that does not decide within this time never will, in milliseconds. */
const DECIDED_WITHIN_MS = 20_000;

/** The status of an answer; nothing where there is none. */
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
 * The status of a verdict on a token. A 503 is none: a read that takes longer than a request may wait, as on a busy
 * machine, is answered so, and the client is to ask again.
 */
export async function verdictOf(url: string, token: string): Promise<number | undefined> {
  const since = performance.now();
  for (;;) {
    const status = await statusOf(url, token);
    if (status !== 503 || performance.now() - since > DECIDED_WITHIN_MS) return status;
    await delay(10);
  }
}

/** Asks until it is answered so. Resolves with how long that took, in milliseconds. */
export function untilStatus(wanted: number, url: string, token?: string): Promise<number> {
  return until(`${url} answers ${wanted}`, async () => (await statusOf(url, token)) === wanted);
}

/** Asks until the server is ready and not degraded. Resolves with how long that took, in milliseconds. */
export function untilReady(opsUrl: string): Promise<number> {
  return until(`${opsUrl} is ready`, async () => {
    const response = await fetch(`${opsUrl}/ready`).catch(() => undefined);
    return ((await response?.json()) as { status?: unknown } | undefined)?.status === 'ready';
  });
}
