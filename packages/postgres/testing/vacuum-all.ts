import type pg from 'pg';

const PATIENCE_MS = 30_000;

/**
 * Vacuums and analyzes everything, until index-only scans need no row. An autovacuum at the same moment keeps pages
 * from being marked as visible to all.
 */
export async function vacuumAll(client: pg.Client): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    await client.query('vacuum analyze');
    const { rowCount } = await client.query(
      "select from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace and relallvisible < relpages",
    );
    if (rowCount === 0) return;
    if (performance.now() > deadline) throw new Error('pages stay invisible to some transaction');
  }
}
