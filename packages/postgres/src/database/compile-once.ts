import type { Compilable, CompiledQuery } from 'kysely';

/** The name of a value, in its place while its query is compiled. */
class Placeholder extends String {}

/**
 * Returns a query that kysely builds and compiles at its first use only; later uses only insert other values. For
 * queries of requests: building and compiling takes longer than sending the query and reading its row.
 *
 * `build` inserts the values as they are: it receives placeholders and must not decide anything by them.
 */
export function compileOnce<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  const placeholders = new Proxy({} as Values, { get: (_, name) => new Placeholder(String(name)) });
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => {
    compiled ??= build(placeholders).compile();
    const { query, queryId, sql, parameters } = compiled;
    return { query, queryId, sql, parameters: parameters.map((parameter) => given(parameter, values)) };
  };
}

function given(parameter: unknown, values: object): unknown {
  return parameter instanceof Placeholder ? Reflect.get(values, `${parameter}`) : parameter;
}
