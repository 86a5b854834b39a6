import { UnavailableFault } from '@gatehouse/domain';
import { openHostileServer } from '@gatehouse/test-database';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openAnother } from '../../../testing/open-test-store.ts';
import { openListeningConnection } from '../../changes/listening-connection.ts';

const SAID = 'the server asks for the password in clear text';
const REMEDY = "password_encryption = 'scram-sha-256'";

describe('a program instead of the database that asks for the password', () => {
  test('does not get the password from the pool, whose error says what to do', async () => {
    await using server = await openHostileServer('asks for clear text');
    const database = openAnother({ url: server.url, poolSize: 1 });
    const fault = await sql`select 1`.execute(database.queries).catch((error: unknown) => error);
    expect(server.told()).not.toMatch(/hunter2|md5/);
    expect(fault).toBeInstanceOf(UnavailableFault);
    expect((fault as Error).message).toContain(`the database cannot be reached: ${SAID}`);
    expect((fault as Error).message).toContain(REMEDY);
  });

  test('does not get it from a listening connection, which reports why', async () => {
    await using server = await openHostileServer('asks for clear text');
    const database = openAnother({ url: server.url, poolSize: 1 });
    const lost: string[] = [];
    const opening = openListeningConnection({
      url: server.url,
      database,
      channel: 'gatehouse_changes',
      applicationName: 'gatehouse change feed',
      answerWithinMs: 1000,
      giveUp: new AbortController().signal,
      onNotification: () => {},
      onLost: (reason) => lost.push(reason),
    });
    const problem = await opening.catch((error: unknown) => error);
    expect(server.told()).not.toMatch(/hunter2|md5/);
    expect(String(problem)).toContain(SAID);
    expect(lost).toEqual([expect.stringContaining(REMEDY)]);
  });
});
