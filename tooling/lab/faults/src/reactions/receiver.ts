import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A message of a server to the receiver. */
export type Told = { readonly pid: number } & (
  | { readonly kind: 'addressing' }
  | { readonly kind: 'event'; readonly position: number; readonly lane: string; readonly serial: number }
);

export type Receipt = Extract<Told, { kind: 'event' }>;

/**
 * Where a server is killed: while it puts events into lanes, before the receiver has an event, or when the receiver has
 * the event and the server does not know it yet.
 */
export type Moment = 'addressing' | 'before' | 'after';

export const MOMENTS: readonly Moment[] = ['addressing', 'before', 'after'];

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** In the order in which they arrived, with repetitions. */
  readonly receipts: readonly Receipt[];
  /** Kills the next server that comes to this moment, and resolves with its process id. */
  killAt(moment: Moment): Promise<number>;
}

export interface ReceiverOptions {
  /** The time from `addressing` to the kill, in milliseconds. Default: at once. */
  readonly killAfterMs?: number | undefined;
  /** The time until an event is answered, in milliseconds. Default: at once. */
  readonly answerAfterMs?: number | undefined;
}

/** Opens what events are written into. A server that is killed gets no answer. */
export async function openReceiver({
  killAfterMs = 0,
  answerAfterMs = 0,
}: ReceiverOptions): Promise<Receiver> {
  const receipts: Receipt[] = [];
  let plan: { moment: Moment; killed: (pid: number) => void } | undefined;

  /** Kills the process if this is its moment. */
  function strike(moment: Moment, { pid }: Told): boolean {
    if (plan?.moment !== moment) return false;
    const { killed } = plan;
    plan = undefined;
    const kill = () => {
      process.kill(pid, 'SIGKILL');
      killed(pid);
    };
    // The server goes on for a while after the answer.
    if (moment === 'addressing') setTimeout(kill, killAfterMs);
    else kill();
    return moment !== 'addressing';
  }

  const server = createServer(async (request, response) => {
    const told: Told = JSON.parse(await text(request));
    if (told.kind === 'addressing') {
      strike('addressing', told);
      return void response.end();
    }
    if (strike('before', told)) return void response.destroy();
    receipts.push(told);
    if (strike('after', told)) return void response.destroy();
    await delay(answerAfterMs);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    receipts,
    killAt: (moment) =>
      new Promise((killed) => {
        plan = { moment, killed };
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
