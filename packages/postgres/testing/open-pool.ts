import pg from 'pg';

/**
 * Opens a pool of one connection. When a pool has ended, the server may not have closed its connections yet. If the test
 * then drops its database, the server's last message is an error: of the connection, and of the pool if it was idle.
 */
export function openPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, ...options });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return pool;
}
