import fc from 'fast-check';
import { resolved, type Schema, type ServedDocument } from './openapi.ts';

/** Generates valid values for a schema. */
export function schemaValues(document: ServedDocument, schema: Schema): fc.Arbitrary<unknown> {
  const { type, enum: choices, anyOf, ...rest } = resolved(document, schema);
  if (choices) return fc.constantFrom(...choices);
  if (anyOf) return fc.oneof(...anyOf.map((one) => schemaValues(document, one)));
  switch (type) {
    case 'string':
      return texts(rest.minLength ?? 0, rest.maxLength ?? 64);
    case 'integer':
      return fc.integer({
        min: rest.minimum ?? Number.MIN_SAFE_INTEGER,
        max: rest.maximum ?? Number.MAX_SAFE_INTEGER,
      });
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(schemaValues(document, rest.items ?? {}), { maxLength: 5 });
    case 'object':
      return fc.record(memberValues(document, rest), { requiredKeys: [...(rest.required ?? [])] });
    default:
      return fc.jsonValue();
  }
}

/** For each member of an object, its possible values. */
export function memberValues(document: ServedDocument, { properties = {} }: Schema) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, schemaValues(document, schema)]),
  );
}

/** From the shortest to the longest, with lengths in characters, as in the document. */
function texts(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const size = { minLength, maxLength: Math.min(maxLength, minLength + 24), size: 'max' } as const;
  const short = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', ...size }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', ...size }) },
  );
  const longest = fc
    .constantFrom('x', ' ', '%', 'é', '\u{1f600}')
    .map((character) => character.repeat(maxLength));
  return fc.oneof({ weight: 12, arbitrary: short }, { weight: 1, arbitrary: longest });
}
