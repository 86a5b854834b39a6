import { setTimeout as delay } from 'node:timers/promises';
import { PROBLEMS } from '@gatehouse/api-contract';
import { createKeptConnection, type KeptConnection } from '../stage/kept-connection.ts';
import { metric, residentBytes } from '../stage/metrics.ts';
import type { ServerNode } from '../stage/node.ts';
import { repeat } from '../stage/repeat.ts';

export interface FloodOptions {
  readonly clients: number;
  /** How long each client repeats its sign-in, in milliseconds. */
  readonly lastsMs: number;
  /** After that, how long waiting clients stay, in milliseconds. */
  readonly patienceMs: number;
  readonly email: string;
  readonly password: string;
}

export interface FloodAnswer {
  readonly status: number;
  /** When the sign-in was sent, in milliseconds since all clients began. */
  readonly sentAtMs: number;
  readonly tookMs: number;
  readonly retryAfter: string | undefined;
  /** Whether the queue was full: other 503s are about the database. */
  readonly isExcess: boolean;
}

/**
 * Clients that all sign in at once, each on a connection and from a network of its own, as forwarded by a proxy. A
 * refused client waits for its `Retry-After` and up to as long again.
 */
export async function flood(url: string, options: FloodOptions): Promise<readonly FloodAnswer[]> {
  const { clients, lastsMs, patienceMs, email, password } = options;
  const body = JSON.stringify({ email, password });
  const requestOf = (address: string) =>
    Buffer.from(
      `POST /api/v1/auth.json HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  const answers: FloodAnswer[] = [];
  const connections = Array.from({ length: clients }, () => createKeptConnection(url));
  await Promise.all(connections.map((connection) => connection.open()));
  const beganAt = performance.now();
  const until = beganAt + lastsMs;
  let isLeaving = false;
  const leave = () => {
    isLeaving = true;
    for (const connection of connections) connection[Symbol.dispose]();
  };
  const leaving = setTimeout(leave, lastsMs + patienceMs);
  async function keepSigningIn(connection: KeptConnection, index: number): Promise<void> {
    const request = requestOf(`198.51.${index >> 8}.${index & 255}`);
    do {
      const sentAt = performance.now();
      const { status, headers, body: said } = await connection.exchange(request, false);
      const retryAfter = headers.get('retry-after');
      const isExcess = said.includes(PROBLEMS.overloaded.type);
      const tookMs = performance.now() - sentAt;
      answers.push({ status, sentAtMs: sentAt - beganAt, tookMs, retryAfter, isExcess });
      // Simulates clients that were not all refused at the same moment.
      if (status !== 200) await delay(1000 * Number(retryAfter ?? 1) * (1 + Math.random()));
    } while (performance.now() < until);
  }
  const signingIn = connections.map((connection, index) =>
    keepSigningIn(connection, index).catch((error) => {
      if (!isLeaving) throw error;
    }),
  );
  await Promise.all(signingIn).finally(() => {
    clearTimeout(leaving);
    leave();
  });
  return answers;
}

const LOOK_EVERY_MS = 20;

/** The maximum of a server's metric during a time. */
export function watchHashing({ opsUrl }: ServerNode) {
  const most = { active: 0, waiting: 0, residentBytes: 0 };
  const look = async (name: keyof typeof most, asked: Promise<number>) => {
    most[name] = Math.max(most[name], await asked);
  };
  const looking = repeat(LOOK_EVERY_MS, async () => {
    await look('active', metric(opsUrl, 'gatehouse_password_hashes{state="active"}'));
    await look('waiting', metric(opsUrl, 'gatehouse_password_hashes{state="waiting"}'));
    await look('residentBytes', residentBytes(opsUrl));
  });
  return { stop: () => looking.stop().then(() => most) };
}
