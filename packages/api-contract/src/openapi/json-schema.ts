import { z } from 'zod';

/** Converts a zod schema to the dialect of JSON Schema in OpenAPI 3.1. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return rest;
}
