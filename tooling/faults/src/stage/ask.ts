import { until } from './until.ts';

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
export function untilStatus(wanted: number, url: string, token?: string): Promise<number> {
  return until(`${url} answers ${wanted}`, async () => (await statusOf(url, token)) === wanted);
}
