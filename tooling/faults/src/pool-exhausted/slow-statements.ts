import { setTimeout as delay } from 'node:timers/promises';
import type { ServerNode, Settings } from '../stage/node.ts';
import { openInstallation, unwrap } from '../stage/store.ts';

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

/** Sends one request after the other until it is stopped. */
export function keepAsking(request: () => Promise<Answered>) {
  const answers: Answered[] = [];
  let over = false;
  const asking = (async () => {
    for (; !over; await delay(2)) answers.push(await request());
  })();
  return {
    async stop(): Promise<readonly Answered[]> {
      over = true;
      await asking;
      return answers;
    },
  };
}

/** Creates tokens that no server has cached. */
export async function newTokens(settings: Settings, email: string, count: number) {
  await using store = openInstallation(settings);
  const admin = unwrap(await store.actAs(email, 'test'));
  const secrets: string[] = [];
  while (secrets.length < count) {
    const name = `Token ${secrets.length}`;
    const input = { name, format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
    secrets.push(unwrap(await store.issueToken(admin, input)).secret);
  }
  return secrets;
}

/** Returns the server's metrics of its connections, when it is idle or after a time limit. */
export async function poolAtRest({ opsUrl }: ServerNode, withinMs: number) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const text = await (await fetch(`${opsUrl}/metrics`)).text();
    const value = (metric: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${metric} `))
          ?.split(' ')[1],
      );
    const busy = value('gatehouse_database_connections{state="busy"}');
    const waiting = value('gatehouse_database_waiting');
    if (busy + waiting === 0 || performance.now() > deadline) return { busy, waiting };
    await delay(20);
  }
}
