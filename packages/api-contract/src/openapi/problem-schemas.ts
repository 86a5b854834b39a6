import { type Problem, problemsOf, type Route } from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import { jsonSchema } from './components.ts';

/** One invalid field of the body or parameter of the query. */
const fieldError = z.strictObject({ field: z.string(), message: z.string() });

export type FieldError = z.infer<typeof fieldError>;

/** Problems whose response lists the invalid fields. */
const WITH_ERRORS: ReadonlySet<string> = new Set(['invalid_input', 'invalid_query', 'malformed_query']);

/** Returns the schema of a response whose body is one of the problems with these names. */
export function anyProblemOf(names: readonly string[]): object {
  const references = names.map(reference);
  return references.length === 1 ? (references[0] as object) : { oneOf: references };
}

/** Returns a schema for each problem of these routes, and the schema `Problem` that all of them extend. */
export function problemSchemas(routes: readonly Route[]): Readonly<Record<string, object>> {
  const problems = new Map(routes.flatMap((route) => [...problemsOf(route)]));
  const schemas = Array.from(problems, ([name, problem]) => [schemaName(name), schemaOf(name, problem)]);
  return { Problem: jsonSchema(anyProblem), ...Object.fromEntries(schemas) };
}

const anyProblem = z
  .looseObject({ type: z.string().regex(/^urn:gatehouse:problem:/), title: z.string(), status: z.int() })
  .meta({ description: 'Why a request was refused (RFC 9457 section 3.1).' });

function reference(name: string) {
  return { $ref: `#/components/schemas/${schemaName(name)}` };
}

/** `TokenRequiredProblem` for `token_required`. */
function schemaName(name: string): string {
  const words = name.split(/[_-]/).map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Problem`;
}

function schemaOf(name: string, { type, title, status }: Problem) {
  const shape = { type: z.literal(type), title: z.literal(title), status: z.literal(status) };
  const errors = WITH_ERRORS.has(name) ? { errors: z.array(fieldError).min(1) } : {};
  return {
    allOf: [{ $ref: '#/components/schemas/Problem' }],
    ...jsonSchema(z.strictObject({ ...shape, ...errors })),
  };
}
