import { isSameServer, type PrimaryServer } from './primary-server.ts';

export type PrimaryWatch = ReturnType<typeof createPrimaryWatch>;

const REPLACED = 'leads to a primary that was replaced';
const ELSEWHERE = 'leads to another server than the one to which DATABASE_URL leads now';

/**
 * Knows which server is the primary, from the new connections of this process: the server of the newest connection is
 * the primary, with one exception. After a standby was promoted, the old primary may still run and accept writes, and
 * the address may lead to it again. The old primary is recognized by its timeline, which is lower than the timeline of
 * the promoted server.
 */
export function createPrimaryWatch() {
  const listeners = new Set<() => void>();
  let current: PrimaryServer | undefined;
  let newest: PrimaryServer | undefined;

  const isReplaced = ({ system, timeline }: PrimaryServer) =>
    newest?.system === system && timeline < newest.timeline;

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function problemOf(server: PrimaryServer): string | undefined {
    if (isReplaced(server)) return REPLACED;
    return current === undefined || isSameServer(current, server) ? undefined : ELSEWHERE;
  }

  return {
    /** Returns why a connection to this server may no longer be used; undefined if it may be used. */
    problemOf,
    /**
     * Records which server a new connection of `DATABASE_URL` reached. From then on, all connections must be to that
     * server. Returns why the new connection may not be used; undefined if it may be used.
     */
    arrived(server: PrimaryServer): string | undefined {
      if (isReplaced(server)) return REPLACED;
      newest = server;
      if (current !== undefined && isSameServer(current, server)) return undefined;
      const isFirst = current === undefined;
      current = server;
      if (!isFirst) tell();
      return undefined;
    },
    /**
     * Records which server a new connection of `DATABASE_LISTEN_URL` reached, because that can show that the server of
     * the pool was replaced.
     */
    sawListener(server: PrimaryServer): void {
      // A server of another system cannot have replaced this primary: the two addresses lead to different databases.
      if (newest?.system !== server.system || server.timeline <= newest.timeline) return;
      newest = server;
      if (current === undefined || !isReplaced(current)) return;
      current = undefined;
      tell();
    },
    /** Calls the listener when some open connections may no longer be used. The returned function unsubscribes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
