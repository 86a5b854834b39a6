import type { CompiledQuery } from 'kysely';
import type { Queries } from '../schema.ts';

/** Stands for a value while its query is compiled; contains the name of the value. */
class Placeholder extends String {}

/**
 * Returns a query that kysely builds and compiles only at its first use. Later uses only insert other values. Use it
 * for queries of requests, because building and compiling takes longer than sending the query and reading its row.
 *
 * At the first use, `build` is passed placeholders instead of values. `build` inserts the placeholders into the query,
 * and must not make decisions that depend on the values. A value that is inserted several times is sent once.
 */
export function compileOnce<Values extends object, Row>(
  db: Queries,
  build: (values: Values) => { compile(db: Queries): CompiledQuery<Row> },
): (values: Values) => CompiledQuery<Row> {
  const placeholders = new Proxy({} as Values, { get: (_, name) => new Placeholder(String(name)) });
  let template: Template<Row> | undefined;
  return (values) => {
    template ??= templateOf(build(placeholders).compile(db));
    const { query, queryId, sql, parameters } = template;
    return { query, queryId, sql, parameters: parameters.map((valueIn) => valueIn(values)) };
  };
}

interface Template<Row> extends Omit<CompiledQuery<Row>, 'parameters'> {
  readonly parameters: readonly ((values: object) => unknown)[];
}

function templateOf<Row>({ query, queryId, sql, parameters }: CompiledQuery<Row>): Template<Row> {
  const kept: unknown[] = [];
  const places = parameters.map((parameter) => {
    const name = nameOf(parameter);
    const earlier = name === undefined ? -1 : kept.findIndex((other) => nameOf(other) === name);
    return earlier >= 0 ? earlier + 1 : kept.push(parameter);
  });
  // Kysely numbers the parameters in the order of the text.
  let count = 0;
  const text = sql.replaceAll(/\$\d+/g, () => `$${places[count++]}`);
  if (count !== places.length)
    throw new Error(`${count} of ${places.length} parameters are in the text: ${sql}`);
  return { query, queryId, sql: text, parameters: kept.map(getterOf) };
}

function getterOf(parameter: unknown): (values: object) => unknown {
  const name = nameOf(parameter);
  return name === undefined ? () => parameter : (values) => Reflect.get(values, name);
}

function nameOf(parameter: unknown): string | undefined {
  return parameter instanceof Placeholder ? `${parameter}` : undefined;
}
