import type { Compilable, CompiledQuery } from 'kysely';

/** Stands for a value while its query is compiled. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that kysely builds and compiles at its first use only; after that it is given other values. For a query that
 * requests make, for to build and compile it takes longer than to send it and to read its row.
 *
 * `build` puts the values into the query as they are: what it is given are placeholders, about which it can decide nothing.
 */
export function compileOnce<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => {
    compiled ??= build(placeholders<Values>()).compile();
    const { query, queryId, sql, parameters } = compiled;
    return { query, queryId, sql, parameters: parameters.map((parameter) => given(parameter, values)) };
  };
}

function placeholders<Values extends object>(): Values {
  return new Proxy<Values>({} as Values, { get: (_, name) => new Placeholder(String(name)) });
}

function given(parameter: unknown, values: object): unknown {
  return parameter instanceof Placeholder ? Reflect.get(values, parameter.name) : parameter;
}
