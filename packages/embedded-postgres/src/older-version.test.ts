import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DataFolder, execute, query } from '../testing/data-folder.ts';
import { startOlderVersion, useOlderServer } from '../testing/older-version.ts';
import { APP_ROLE } from './cluster.ts';
import { joinEmbeddedPostgres } from './open-embedded-postgres.ts';
import { isAlive } from './processes.ts';

/** One object of each kind in a schema, and rows. */
const OBJECTS = `
  CREATE SCHEMA other;
  CREATE TYPE public.mood AS ENUM ('sad', 'glad');
  CREATE DOMAIN public.short AS text CHECK (length(value) < 9);
  CREATE TYPE public.pair AS (a int, b int);
  CREATE TABLE public.people (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, other serial, name public.short);
  CREATE TABLE other."Odd name" (mood public.mood);
  CREATE SEQUENCE public.numbers;
  CREATE VIEW public.names AS SELECT name FROM public.people;
  CREATE MATERIALIZED VIEW public.kept AS SELECT 1 AS one;
  CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN new; END $$;
  CREATE TRIGGER touch BEFORE INSERT ON public.people FOR EACH ROW EXECUTE FUNCTION public.touch();
  INSERT INTO public.people (name) VALUES ('Ada');`;

const NOT_HANDED_OVER = `
  SELECT array_agg(name) FROM (
    SELECT relname AS name, relowner AS owner, oid FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_'
    UNION ALL SELECT proname, proowner, oid FROM pg_proc
    UNION ALL SELECT typname, typowner, oid FROM pg_type WHERE typnamespace::regnamespace::text !~ '^pg_'
    UNION ALL SELECT nspname, nspowner, oid FROM pg_namespace WHERE nspname !~ '^pg_'
  ) AS objects WHERE oid >= 16384 AND owner <> '${APP_ROLE}'::regrole`;

describe('a data folder of the previous version', () => {
  it('is converted with all its data after its server was stopped', async () => {
    await using folder = await DataFolder.make();
    const older = await startOlderVersion(folder);
    await execute(older.url, OBJECTS);
    await older.stop();

    const user = folder.open();
    const url = await user.url();
    expect(await query(url, 'SELECT current_user::text, name FROM people')).toEqual([APP_ROLE, 'Ada']);
    expect(await query(url, NOT_HANDED_OVER)).toEqual([null]);
    await query(url, 'ALTER TABLE people ADD COLUMN age int');
    await query(url, "INSERT INTO people (name) VALUES ('Bob')");
    await query(url, 'REFRESH MATERIALIZED VIEW kept');
    expect(await query(url, "SELECT current_setting('listen_addresses')")).toEqual(['']);
    const old = new URL(url);
    [old.username, old.password] = ['gatehouse', new URL(older.url).password];
    await expect(query(old.href, 'SELECT 1')).rejects.toThrow('no pg_hba.conf entry');
    expect((await readdir(folder.paths.folder)).sort()).toEqual([
      'app-password',
      'data',
      'postgres.log',
      'socket',
    ]);
    await user.leave();
    const next = folder.open();
    expect(await query(await next.url(), 'SELECT count(*)::int FROM people')).toEqual([2]);
    await next.leave();
  });

  it('is converted while an unused server runs on it', async () => {
    await using folder = await DataFolder.make();
    const older = await startOlderVersion(folder);
    expect(await joinEmbeddedPostgres({ dataDir: folder.path })).toBeUndefined();
    await execute(older.url, OBJECTS);
    const users = [folder.open(), folder.open()];
    const urls = await Promise.all(users.map((user) => user.url()));
    expect(urls[0]).toBe(urls[1]);
    expect(isAlive(older.pid)).toBe(false);
    const { port } = new URL(older.url);
    const refused = new Promise((resolve) => connect(Number(port), '127.0.0.1').on('error', resolve));
    expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await query(urls[0] ?? '', NOT_HANDED_OVER)).toEqual([null]);
    await Promise.all(users.map((user) => user.leave()));
  });

  it('is not changed while the previous version uses it, and the message says what to do', async () => {
    await using folder = await DataFolder.make();
    const older = await startOlderVersion(folder);
    const program = await useOlderServer(older);
    const { error } = await folder.open().said();
    expect(error?.message).toContain(
      'an older version of Gatehouse uses it: stop its servers and commands first',
    );
    expect(await query(older.url, 'SELECT 1')).toEqual([1]);
    expect(await readdir(folder.paths.folder)).not.toContain('app-password');
    await program.end();
    const user = folder.open();
    expect(await query(await user.url(), 'SELECT current_user::text')).toEqual([APP_ROLE]);
    await user.leave();
  });
});
