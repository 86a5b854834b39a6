import { ScramClient } from '@gatehouse/scram-client';
import { type ConnectionString, currentUrl } from './connection-string.ts';

const WITHIN_MS = 1000;

/**
 * Returns the version of the PgBouncer at this address, such as `PgBouncer 1.18.0`; undefined if it does not answer.
 * Its console answers only the users in `stats_users` or `admin_users`.
 */
export async function poolerVersion(url: ConnectionString): Promise<string | undefined> {
  const options = { connectionTimeoutMillis: WITHIN_MS, query_timeout: WITHIN_MS };
  try {
    const console = new URL(currentUrl(url));
    console.pathname = '/pgbouncer';
    const client = new ScramClient({ connectionString: console.href, ...options });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string }>('show version');
      return rows[0]?.version;
    } finally {
      await client.end();
    }
  } catch {
    return undefined;
  }
}
