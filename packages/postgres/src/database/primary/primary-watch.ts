import { isSameServer, type PrimaryServer } from './primary-server.ts';

export type PrimaryWatch = ReturnType<typeof createPrimaryWatch>;

const REPLACED = 'leads to a primary that was replaced';
const ELSEWHERE = 'leads to a different server than a newer connection of DATABASE_URL';

/**
 * Knows which server is the primary, from the new connections of this process. The server of the newest connection counts,
 * with one exception. An old primary may still run and accept writes after a standby was promoted, and the address may lead
 * to the old primary again. It is recognized by its timeline, which is lower than the timeline of the promoted server.
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
    /** Returns why a connection to this server may not be used any longer. */
    problemOf,
    /**
     * Notes where a new connection of `DATABASE_URL` leads. From then on, all other connections have to lead there as well.
     * Returns why this connection may not be used; undefined if it may.
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
    /** Notes where a new connection of `DATABASE_LISTEN_URL` leads: it can show that the server of the pool was replaced. */
    sawListener(server: PrimaryServer): void {
      // A server of another system is no later primary of this one: the addresses lead to different databases.
      if (newest?.system !== server.system || server.timeline <= newest.timeline) return;
      newest = server;
      if (current === undefined || !isReplaced(current)) return;
      current = undefined;
      tell();
    },
    /** Calls the listener when open connections may no longer be used. The returned function unsubscribes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
