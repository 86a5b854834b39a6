import pg from 'pg';

/**
 * Opens a pool of one connection. A pool that ends leaves its connections before the server has closed them; a test
 * that drops its database right after would fail by the server's last message.
 */
export function openPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, ...options });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
