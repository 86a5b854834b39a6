import { Socket } from 'node:net';
import { ScramClient } from '@gatehouse/scram-client';
import type pg from 'pg';
import { PRIMARY_SERVER, type PrimaryServer, primaryServerOf } from '../primary/primary-server.ts';
import { type ConnectionString, currentUrl } from './connection-string.ts';

/** The longest time for opening the connection and running its statement, in milliseconds. */
const ANSWERED_WITHIN_MS = 2000;

/**
 * Opens a connection and identifies the server that it reaches. Returns undefined for a standby. Throws if the
 * connection fails, or if the server does not answer in time.
 */
export function visitServer(url: ConnectionString, giveUp?: AbortSignal): Promise<PrimaryServer | undefined> {
  const config = {
    connectionString: currentUrl(url),
    fallback_application_name: 'gatehouse address probe',
  };
  return visit(config, async (client) => primaryServerOf(await client.query(PRIMARY_SERVER)), giveUp);
}

/**
 * Returns the version of the PgBouncer at this URL, such as `PgBouncer 1.18.0`; undefined if it does not answer. The
 * console of PgBouncer answers only the users in `stats_users` or `admin_users`.
 */
export async function poolerVersion(url: ConnectionString): Promise<string | undefined> {
  try {
    const console = new URL(currentUrl(url));
    console.pathname = '/pgbouncer';
    return await visit({ connectionString: console.href }, async (client) => {
      const { rows } = await client.query<{ version: string }>('show version');
      return rows[0]?.version;
    });
  } catch {
    return undefined;
  }
}

/** Opens a connection, runs `ask` with it, and closes it. Throws if that takes too long, or if the caller gives up. */
async function visit<T>(
  config: pg.ClientConfig,
  ask: (client: pg.Client) => Promise<T>,
  giveUp?: AbortSignal,
): Promise<T> {
  // This function creates the socket, because pg cannot close a connection whose server does not answer.
  const socket = new Socket();
  const client = new ScramClient({ ...config, stream: () => socket });
  // Without a listener, the error would end the process. The statement fails with the same error.
  client.on('error', () => undefined);
  const abandon = () => socket.destroy(new Error('the database does not answer in time'));
  const late = setTimeout(abandon, ANSWERED_WITHIN_MS);
  giveUp?.addEventListener('abort', abandon);
  try {
    await client.connect();
    const answer = await ask(client);
    await client.end();
    return answer;
  } finally {
    clearTimeout(late);
    giveUp?.removeEventListener('abort', abandon);
    socket.destroy();
  }
}
