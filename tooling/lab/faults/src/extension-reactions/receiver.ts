import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The message of the reaction `tell`. */
export interface Told {
  readonly position: number;
  readonly accountId: number | null;
  readonly name: string;
}

/** A program to which a reaction posts events. It answers, or holds each request open. */
export async function openReceiver() {
  const told: Told[] = [];
  let answers = true;
  const server = createServer(async (request, response) => {
    const answersThis = answers;
    told.push((await json(request)) as Told);
    if (answersThis) response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Everything that was posted, in the order of its arrival. */
    told: told as readonly Told[],
    answer(whether: boolean): void {
      answers = whether;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The events whose first arrival was after that of a later event of the same account. */
export function outOfOrder(told: readonly Told[]): readonly Told[] {
  const seen = new Set<number>();
  const greatest = new Map<number | null, number>();
  return told.filter(({ position, accountId }) => {
    if (seen.has(position)) return false;
    seen.add(position);
    const before = greatest.get(accountId) ?? 0;
    greatest.set(accountId, Math.max(before, position));
    return position < before;
  });
}
