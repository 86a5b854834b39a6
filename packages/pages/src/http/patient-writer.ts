import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { PagePorts } from '../ports.ts';
import { isGone } from './slots.ts';

type Ports = Pick<PagePorts, 'clock' | 'isDraining' | 'pause'>;

/** How often a waiting write checks whether the client is gone or the server is shutting down, in milliseconds. */
const STEP_MS = 250;

/** The longest wait of a write for a client that does not read, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/**
 * Returns a function that writes a part of a response and waits until the client has read it. The function returns
 * false if the client is gone, has read nothing for 30 seconds, or does not read while the server shuts down. The caller
 * must then end the response. Otherwise a client that never reads would hold memory and its place in the limits of
 * streams.
 */
export function createPatientWriter({ clock, isDraining, pause }: Ports, response: ServerResponse) {
  return async (text: string): Promise<boolean> => {
    if (isGone(response)) return false;
    response.write(text);
    const begin = clock.now();
    while (response.writableNeedDrain) {
      if (isGone(response) || isDraining() || clock.now() - begin >= MAX_WAIT_MS) return false;
      await drainOr(response, pause(STEP_MS));
    }
    return true;
  };
}

/** Waits until the client has read everything, or until the pause ends. */
async function drainOr(response: ServerResponse, pause: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const drained = [once(response, 'drain', { signal }), once(response, 'close', { signal })];
  // The listeners of the events that did not come are removed, which rejects their promises.
  for (const each of drained) each.catch(() => undefined);
  await Promise.race([pause, ...drained]).finally(() => waiting.abort());
}
