import { type CompiledQuery, Kysely, sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createDialect } from '../dialect.ts';
import type { Schema } from '../schema.ts';
import { compileOnce } from './compile-once.ts';

/** Compiles and never connects. */
const queries = new Kysely<Schema>({ dialect: createDialect(new pg.Pool()) });

interface Values {
  readonly id: number;
  readonly accountId: number;
}

const build = ({ id, accountId }: Values) =>
  queries
    .selectFrom('organizations')
    .select('name')
    .where(sql<boolean>`(account_id, id) <= (${accountId}, ${id})`)
    .where('name', '=', 'Press shop')
    .limit(7);

const essence = ({ sql, parameters }: CompiledQuery) => ({ sql, parameters });

test('returns the query that kysely compiles with these values', () => {
  const compile = compileOnce(queries, build);
  for (const values of [
    { id: 3, accountId: 4 },
    { id: 5, accountId: 6 },
  ]) {
    expect(essence(compile(values))).toEqual(essence(build(values).compile()));
  }
});

test('builds it once', () => {
  const building = vi.fn(build);
  const compile = compileOnce(queries, building);
  expect(building).not.toHaveBeenCalled();
  compile({ id: 3, accountId: 4 });
  compile({ id: 5, accountId: 6 });
  expect(building).toHaveBeenCalledOnce();
});

test('sends a value once, however often it is inserted', () => {
  const compile = compileOnce(queries, ({ id, accountId }: Values) =>
    queries
      .selectFrom('organizations')
      .select('name')
      .where(sql<boolean>`${id} in (1, ${accountId}, ${'press'}) or ${accountId} = ${id}`)
      .limit(7),
  );
  const { sql: text, parameters } = compile({ id: 3, accountId: 4 });
  expect(text).toContain('where $1 in (1, $2, $3) or $2 = $1');
  expect(text).toContain('limit $4');
  expect(parameters).toEqual([3, 4, 'press', 7]);
});

test('throws for a text with other dollar signs', () => {
  const compile = compileOnce(queries, ({ id }: Values) =>
    queries.selectFrom('organizations').select('name').where(sql<boolean>`${id} = '$9'`),
  );
  expect(() => compile({ id: 3, accountId: 4 })).toThrow('2 of 1 parameters');
});
