import { nameOf, type ParameterSchemas, type Route } from '@gatehouse/extension-kit/http';
import type { z } from 'zod';
import { type Described, headerParameter, jsonSchema } from './components.ts';

/** The parameters of an operation in path, query and header. */
export function parametersOf(route: Route): readonly object[] {
  return [
    ...describedParameters(route).map(({ name, toJson }) =>
      name === undefined ? toJson() : { $ref: `#/components/parameters/${name}` },
    ),
    ...(route.success.etag ? [headerParameter('IfNoneMatch')] : []),
    headerParameter('RequestId'),
  ];
}

export function describedParameters({ params = {}, query = {} }: Route): readonly Described[] {
  const inPlace = (place: 'path' | 'query', schemas: ParameterSchemas) =>
    Object.entries(schemas).map(([key, schema]) => ({
      name: nameOf(schema),
      place: `${place} ${key}`,
      schema,
      toJson: () => parameter(key, place, schema),
    }));
  return [...inPlace('path', params), ...inPlace('query', query)];
}

/**
 * OpenAPI requires the description and the example of a parameter beside the schema. zod writes them into the schema.
 */
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
