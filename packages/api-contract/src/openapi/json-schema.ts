import { z } from 'zod';

/** A zod schema as the dialect of JSON Schema that OpenAPI 3.1 embeds. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return rest;
}
