import { createFixedClock, START } from '@gatehouse/domain/testing';
import { changeFeedProbeContract, storeProbeContract } from '@gatehouse/domain/testing/contracts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aTestDatabase, openTestDatabase } from '../../../testing/open-test-store.ts';
import { createPostgresChangeFeedProbe } from '../../changes/change-feed-probe.ts';
import { createPostgresStoreProbe } from './store-probe.ts';

const CLOCKS = {
  maxStalenessMs: 10_000,
  clock: createFixedClock(START),
  monotonicClock: { elapsedMs: () => performance.now() },
};

storeProbeContract('PostgreSQL', async (state) => {
  const { database, close } = await openTestDatabase({ empty: state === 'behind' });
  if (state === 'ahead') {
    await sql`insert into kysely_migration values ('9999-later', '2099-01-01T00:00:00.000Z')`.execute(
      database.queries,
    );
  }
  const letTimePass = async () => {
    await sql`select pg_sleep(0.002)`.execute(database.queries);
  };
  return { probe: createPostgresStoreProbe(database), letTimePass, close };
});

changeFeedProbeContract('PostgreSQL', async (sound) => {
  const [one, other] = [await openTestDatabase(), await openTestDatabase({ empty: true })];
  const listenUrl = sound ? one.url : other.url;
  const probe = createPostgresChangeFeedProbe({
    ...CLOCKS,
    listenUrl,
    database: one.database,
    patienceMs: 0,
  });
  const close = async () => {
    await one.close();
    await other.close();
  };
  return { probe, close };
});

test('a feed that is trusted only after a moment counts as trusted', async () => {
  const { url, database } = await aTestDatabase();
  let attempts = 0;
  const problemOf = () => {
    attempts += 1;
    return attempts < 3 ? 'not yet' : undefined;
  };
  const pause = async () => undefined;
  const options = { ...CLOCKS, listenUrl: url, database, patienceMs: 60_000, pause };
  expect(await createPostgresChangeFeedProbe(options, problemOf).try()).toEqual({ trusted: true });
  expect(attempts).toBeGreaterThanOrEqual(3);
});
