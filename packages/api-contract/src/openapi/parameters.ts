import { nameOf, type ParameterSchemas, type Route } from '@gatehouse/extension-kit/http';
import type { z } from 'zod';
import { headerParameter, jsonSchema } from './components.ts';

/** The parameters of an operation in path, query and header. */
export function parametersOf(route: Route): readonly object[] {
  return [
    ...described(route).map(({ name, parameter }) =>
      name === undefined ? parameter : { $ref: `#/components/parameters/${name}` },
    ),
    ...(route.success.etag ? [headerParameter('IfNoneMatch')] : []),
    headerParameter('RequestId'),
  ];
}

/**
 * Named parameters, in the order of the routes.
 *
 * @throws TypeError if two that differ have the same name
 */
export function namedParameters(routes: readonly Route[]): Readonly<Record<string, object>> {
  const named = new Map<string, object>();
  for (const { name, parameter } of routes.flatMap(described)) {
    if (name === undefined) continue;
    const same = JSON.stringify(named.get(name) ?? parameter) === JSON.stringify(parameter);
    if (!same) throw new TypeError(`two parameters that differ have the name ${name}`);
    named.set(name, parameter);
  }
  return Object.fromEntries(named);
}

function described({ params = {}, query = {} }: Route) {
  const inPlace = (place: 'path' | 'query', schemas: ParameterSchemas) =>
    Object.entries(schemas).map(([name, schema]) => ({
      name: nameOf(schema),
      parameter: parameter(name, place, schema),
    }));
  return [...inPlace('path', params), ...inPlace('query', query)];
}

/** Moves description and example out of the schema, as OpenAPI requires. */
function parameter(name: string, place: 'path' | 'query', schema: z.ZodType) {
  const { description, example, ...rest } = jsonSchema(schema, 'input');
  const absent = schema.safeParse(undefined);
  const hasDefault = absent.success && absent.data !== undefined;
  return {
    name,
    in: place,
    required: place === 'path' || !absent.success,
    ...(description !== undefined && { description }),
    schema: place === 'query' && hasDefault ? { ...rest, default: absent.data } : rest,
    ...(example !== undefined && { example }),
  };
}
