import { z } from 'zod';

const names = z.registry<{ readonly name: string }>();

/** Gives a schema the name under which the OpenAPI document lists it; one without a name is written where it is used. */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.add(schema, { name });
  return schema;
}

export function nameOf(schema: z.ZodType): string | undefined {
  return names.get(schema)?.name;
}
