import { createTestDatabase, openHostileServer, type Trick } from '@gatehouse/test-database';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ScramClient } from './scram-client.ts';
import { PasswordWithheldError } from './scram-guard.ts';

const TRICKS: readonly (readonly [Trick, string])[] = [
  ['asks for clear text', 'asks for the password in clear text'],
  ['asks for MD5', 'asks for the password as MD5'],
  ['asks for nothing', 'accepted the connection without asking for the password'],
  ['asks for cheap SCRAM', 'asks for SCRAM with fewer than 4096 iterations'],
  ['asks for dear and cheap SCRAM at once', 'asks for SCRAM with fewer than 4096 iterations'],
  ['proves nothing', 'accepted the connection without asking for the password'],
  ['asks for clear text after SCRAM', 'asks for the password in clear text'],
];

async function problemOf(client: pg.ClientBase): Promise<Error> {
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    if (error instanceof Error) return error;
  } finally {
    await (client as pg.Client).end().catch(() => undefined);
  }
  throw new Error('it was let in');
}

describe('a server', () => {
  it.each(TRICKS)('that %s does not get the password, and the error says what to do', async (trick, said) => {
    await using server = await openHostileServer(trick);
    const problem = await problemOf(new ScramClient({ connectionString: server.url }));
    expect(problem).toBeInstanceOf(PasswordWithheldError);
    expect(problem.message).toContain(said);
    expect(problem.message).toContain("password_encryption = 'scram-sha-256'");
    expect(problem.message).not.toMatch(/hunter2|\n/);
    const pool = new pg.Pool({ Client: ScramClient, connectionString: server.url });
    await expect(pool.query('select 1')).rejects.toThrow(said);
    expect(pool.totalCount).toBe(0);
    await pool.end();
    expect(server.told()).not.toMatch(/hunter2|md5/);
  });

  it('with a wrong proof is refused', async () => {
    await using server = await openHostileServer('proves something else');
    const problem = await problemOf(new ScramClient({ connectionString: server.url }));
    expect(problem.message).toContain('server signature does not match');
  });

  it.each([
    ['proves something else', 'server signature does not match'],
    ['asks for another SCRAM', 'Only mechanism(s)'],
    ['asks for dear SCRAM', 'iteration count 100001'],
    ['fails', 'too many clients'],
  ] as const)('that %s has no connection of a pool left, though it ends none', async (trick, said) => {
    await using server = await openHostileServer(trick);
    const pool = new pg.Pool({ Client: ScramClient, connectionString: server.url });
    await expect(pool.query('select 1')).rejects.toThrow(said);
    await expect.poll(server.open).toBe(0);
    expect(server.connections()).toBe(1);
    await pool.end();
  });

  it.each(['asks for clear text', 'asks for MD5'] as const)(
    'that %s is found out to be told by a client that answers whatever it is asked',
    async (trick) => {
      await using server = await openHostileServer(trick);
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      expect(server.told()).toMatch(/hunter2|md5/);
      await client.end();
    },
  );

  it('that accepts a client without a password needs no proof', async () => {
    await using server = await openHostileServer('asks for nothing');
    const client = new ScramClient({ connectionString: server.url.replace(':hunter2', '') });
    await client.connect();
    await client.end();
  });

  it('that authenticates by SCRAM is accepted', async () => {
    await using database = await createTestDatabase();
    const client = new ScramClient({ connectionString: database.url });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });
});
