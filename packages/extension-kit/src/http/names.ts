import { z } from 'zod';

const names = z.registry<{ readonly name: string }>();

/** Gives a schema a name in the OpenAPI document. A schema without a name is inlined. */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  names.add(schema, { name });
  return schema;
}

/** Returns the name that `named` gave to the schema, if it did. */
export function nameOf(schema: z.ZodType): string | undefined {
  return names.get(schema)?.name;
}
