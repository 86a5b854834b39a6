import pg from 'pg';

/**
 * Opens a pool of one connection. When a pool ends, it leaves its connections before the server has closed them, and a test that
 * drops its database right after would otherwise fail by what the server says then.
 */
export function openPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, ...options });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
