import { startPgBouncer } from '@gatehouse/test-database';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../src/database/database.ts';

/** A database behind PgBouncer, for one test. */
export async function openPooledDatabase(url: string) {
  const pooler = await startPgBouncer(url);
  onTestFinished(pooler.close);
  const database = openDatabase({ url: pooler.url, poolSize: 1 });
  onTestFinished(() => database.close());
  return { pooler, database };
}
