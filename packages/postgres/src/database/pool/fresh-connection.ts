import { Socket } from 'node:net';
import { ScramClient } from '@gatehouse/scram-client';
import { PRIMARY_SERVER, type PrimaryServer, primaryServerOf } from '../primary/primary-server.ts';
import { type ConnectionString, currentUrl } from './connection-string.ts';

/** The longest time for opening the connection and running its statement, in milliseconds. */
const ANSWERED_WITHIN_MS = 2000;

/**
 * Opens a connection and identifies the server behind the address. Returns undefined for a standby; throws if there is no
 * connection, or no answer in time.
 */
export async function visitServer(
  url: ConnectionString,
  giveUp?: AbortSignal,
): Promise<PrimaryServer | undefined> {
  // Our own socket, because pg cannot drop a connection whose other end is silent.
  const socket = new Socket();
  const client = new ScramClient({
    connectionString: currentUrl(url),
    fallback_application_name: 'gatehouse address probe',
    stream: () => socket,
  });
  // The statement fails with the same error.
  client.on('error', () => undefined);
  const abandon = () => socket.destroy(new Error('the database does not answer in time'));
  const late = setTimeout(abandon, ANSWERED_WITHIN_MS);
  giveUp?.addEventListener('abort', abandon);
  try {
    await client.connect();
    const server = primaryServerOf(await client.query(PRIMARY_SERVER));
    await client.end();
    return server;
  } finally {
    clearTimeout(late);
    giveUp?.removeEventListener('abort', abandon);
    socket.destroy();
  }
}
