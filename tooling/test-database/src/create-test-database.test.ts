import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase, type TestSchema } from './create-test-database.ts';

const query = async (url: string, statement: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

describe('createTestDatabase', () => {
  it('gives each caller a database of its own', async () => {
    await using one = await createTestDatabase();
    await using other = await createTestDatabase();
    await query(one.url, 'CREATE TABLE things ()');
    expect(await query(other.url, "SELECT to_regclass('things') AS found")).toEqual([{ found: null }]);
  });

  it('creates the schema once, for the first caller, and gives each caller a copy', async () => {
    let made = 0;
    const schema: TestSchema = {
      name: 'things',
      async migrate(url) {
        made += 1;
        await query(url, 'CREATE TABLE things (name text)');
      },
    };
    await using one = await createTestDatabase(schema);
    await using other = await createTestDatabase(schema);
    await query(one.url, "INSERT INTO things VALUES ('mine')");
    expect(await query(other.url, 'SELECT count(*)::int AS count FROM things')).toEqual([{ count: 0 }]);
    expect(made).toBe(1);
  });

  it('drops a database that still has connections', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    const cut = new Promise<Error>((resolve) => client.on('error', resolve));
    await client.connect();
    await database.drop();
    expect(await cut).toBeInstanceOf(Error);
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  it('is on a PostgreSQL that the product supports', async () => {
    await using database = await createTestDatabase();
    const [{ version }] = await query(
      database.url,
      "SELECT current_setting('server_version_num') AS version",
    );
    expect(Number(version)).toBeGreaterThanOrEqual(150_000);
  });
});
