import { aTokenId, givenAdmin, givenToken } from '@gatehouse/domain/testing';
import { createPostgresUsageRecorder } from '../src/usage/usage-recorder.ts';
import { aTestDatabase } from './open-test-store.ts';

/** Tokens whose usage is stored when the recorder is told to flush, and not by time. */
export async function openUsedTokens(count: number) {
  const { database, store } = await aTestDatabase();
  const user = await givenAdmin(store);
  const ids = Array.from({ length: count }, aTokenId);
  for (const id of ids) await givenToken(store, user, { id });
  const reports: unknown[] = [];
  const openRecorder = () =>
    createPostgresUsageRecorder(database, {
      report: (event) => reports.push(event),
      pause: () => new Promise(() => {}),
    });
  return { database, store, user, ids, reports, openRecorder };
}
