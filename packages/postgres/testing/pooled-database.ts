import { startPgBouncer } from '@gatehouse/test-database';
import { onTestFinished } from 'vitest';
import { openAnother } from './open-test-store.ts';

/** A database behind PgBouncer, for one test. */
export async function openPooledDatabase(url: string) {
  const pooler = await startPgBouncer(url);
  onTestFinished(pooler.close);
  return { pooler, database: openAnother({ url: pooler.url, poolSize: 1 }) };
}
