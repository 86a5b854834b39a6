import { setTimeout as delay } from 'node:timers/promises';

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

/** Asks until it is answered so. Resolves with how long that took, in milliseconds. */
export async function untilStatus(wanted: number, url: string, token?: string): Promise<number> {
  const since = performance.now();
  while ((await statusOf(url, token)) !== wanted) await delay(10);
  return performance.now() - since;
}
