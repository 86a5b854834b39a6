import { setTimeout as delay } from 'node:timers/promises';
import type { TableLock } from '@gatehouse/test-database';
import { adminOf } from '../stage/admin.ts';
import { metric } from '../stage/metrics.ts';
import type { ServerNode, Settings } from '../stage/node.ts';
import { openInstallation } from '../stage/store.ts';

export interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
}

export async function ask(url: string, init: RequestInit): Promise<Answered> {
  const since = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  const { status, headers } = response;
  return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - since };
}

export const askAs = (url: string, token: string) =>
  ask(url, { headers: { authorization: `Bearer ${token}` } });

/** Creates tokens that no server has cached. */
export async function newTokens(settings: Settings, email: string, count: number) {
  await using store = openInstallation(settings);
  const admin = await adminOf(store, email);
  const secrets: string[] = [];
  while (secrets.length < count) secrets.push((await admin.issue()).secret);
  return secrets;
}

/** Returns the server's metrics of its connections, when it is idle or after a time limit. */
export async function poolAtRest({ opsUrl }: ServerNode, withinMs: number) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const busy = await metric(opsUrl, 'gatehouse_database_connections{state="busy"}');
    const waiting = await metric(opsUrl, 'gatehouse_database_waiting');
    if (busy + waiting === 0 || performance.now() > deadline) return { busy, waiting };
    await delay(20);
  }
}

/** Waits until so many reads wait for the lock, or for a time limit. */
export async function untilReadsWait(lock: TableLock, count: number, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while ((await lock.waitingReads()) < count && performance.now() < deadline) await delay(2);
}
