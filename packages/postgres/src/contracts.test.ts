import { START } from '@gatehouse/domain/testing';
import {
  changeFeedContract,
  repositoryContracts,
  signInThrottleContract,
  usageFeedContract,
  usageRecorderContract,
  usageRecorderHealthContract,
} from '@gatehouse/domain/testing/contracts';
import type { Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { openFeed } from '../testing/open-feed.ts';
import { openTestDatabase } from '../testing/open-test-store.ts';
import { terminateListeners } from '../testing/terminate.ts';
import { createPostgresSignInThrottle } from './sign-in/sign-in-throttle.ts';
import { createPostgresUsageFeed } from './usage/usage-feed.ts';
import { createPostgresUsageRecorder } from './usage/usage-recorder.ts';
import { createPostgresUsageRecorderHealth } from './usage/usage-records.ts';

repositoryContracts('PostgreSQL', openRecordedTestStore);
signInThrottleContract('PostgreSQL', async (ports) => {
  const { database, close } = await openTestDatabase();
  return { throttle: createPostgresSignInThrottle(database, ports), close };
});
usageRecorderContract('PostgreSQL', openRecordedTestStore);
usageFeedContract('PostgreSQL', openRecordedTestStore);
usageRecorderHealthContract('PostgreSQL', openRecordedTestStore);
changeFeedContract('PostgreSQL', async () => {
  const { url, database, store, close } = await openTestDatabase();
  const { feed, hear, lost } = await openFeed({ listenUrl: url, database });
  return {
    feed,
    store,
    elapsedMs: () => performance.now(),
    hear,
    async cutOff() {
      await terminateListeners(database);
      await lost();
    },
    async close() {
      await feed.close();
      await close();
    },
  };
});

async function openRecordedTestStore() {
  const { url, database, store, close } = await openTestDatabase();
  const usage = createPostgresUsageRecorder(database, { report: () => {} });
  const usageRecorders = createPostgresUsageRecorderHealth(database);
  const now = async () => {
    const { rows } = await sql<{ now: Instant }>`select clock_timestamp()::timestamptz(3) as now`.execute(
      database.queries,
    );
    return rows[0]?.now ?? START;
  };
  const usageFeed = createPostgresUsageFeed({ listenUrl: url, database });
  const cutOff = async () => {
    await terminateListeners(database);
  };
  return { ...store, usage, usageFeed, usageRecorders, now, cutOff, close };
}
