import { nameOf, type Route } from '@gatehouse/extension-kit/http';
import { z } from 'zod';

/** The description of a header field of responses. */
export const header = (
  description: string,
  required: boolean,
  of: Readonly<Record<string, unknown>> = {},
) => ({
  description,
  required,
  schema: { type: 'string', ...of },
});

export const HEADERS = {
  'X-Request-Id': header("The request's own id if it sent a fitting one, else a fresh one.", true, {
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  'X-Content-Type-Options': header('The media type is the one that is named.', true, { const: 'nosniff' }),
  'WWW-Authenticate': header(
    'What is missing or wrong (RFC 6750 section 3). Answers to services also offer the Basic scheme (RFC 7617).',
    true,
    {
      pattern: '^Bearer realm="gatehouse"',
    },
  ),
  PossibleChallenge: header('Present where a token was refused (RFC 6750 section 3).', false, {
    pattern: '^Bearer realm="gatehouse", error="',
  }),
  'Retry-After': header('Seconds after which to try again.', true, { pattern: '^[1-9][0-9]*$' }),
  'Cache-Control': header('Whether and by whom the answer may be kept.', true),
  ETag: header('Changes whenever the body does.', true, { pattern: '^"[^"]+"$' }),
  'X-Token-Expires-At': header('When the token ends; absent if it never does.', false, {
    format: 'date-time',
  }),
} as const;

export type HeaderName = keyof typeof HEADERS;

const COMMON = ['X-Request-Id', 'X-Content-Type-Options'] as const;

/** Returns references to the headers that every response has, and to the headers with the given names. */
export const headers = (names: readonly HeaderName[]) =>
  Object.fromEntries(
    [...COMMON, ...names].map((name) => [
      name === 'PossibleChallenge' ? 'WWW-Authenticate' : name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

const inHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

/** Header fields of requests. */
export const HEADER_PARAMETERS = {
  IfNoneMatch: inHeader('If-None-Match', 'The `ETag` of the answer that the caller has.'),
  RequestId: inHeader(
    'X-Request-Id',
    'An id for the request, of 1 to 128 characters `A-Za-z0-9._-`; any other is ignored.',
  ),
};

export const headerParameter = (name: keyof typeof HEADER_PARAMETERS) => ({
  $ref: `#/components/parameters/${name}`,
});

/** Converts a zod schema to the dialect of JSON Schema in OpenAPI 3.1. Named schemas inside it become references. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override({ zodSchema, jsonSchema: made }) {
      const inner: object = zodSchema;
      const name = inner === schema ? undefined : nameOf(inner as z.ZodType);
      if (name === undefined) return;
      for (const member of Object.keys(made)) delete made[member as keyof typeof made];
      Object.assign(made, referenceTo(name));
    },
  });
  return rest;
}

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Returns the schema of a body: a reference if the schema has a name, otherwise the schema itself. */
export function bodySchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const name = nameOf(schema);
  return name === undefined ? jsonSchema(schema, io) : referenceTo(name);
}

/** A schema of a route, with its name in the document if it has one. */
export interface Described {
  readonly name: string | undefined;
  /** The place of the schema in a request, such as `query limit`. A schema in two places describes two parameters. */
  readonly place: string;
  readonly schema: z.ZodType;
  toJson(): object;
}

/** Returns the described schemas that have a name, each with its name. */
export const named = (described: readonly Described[]) =>
  described.flatMap((each) => (each.name === undefined ? [] : [[each.name, each] as const]));

/** Returns the described schemas by their names in the document, in the given order. */
export const byName = (described: readonly Described[]): Readonly<Record<string, object>> =>
  Object.fromEntries(named(described).map(([name, { toJson }]) => [name, toJson()]));

export function describedBodies({ body, success }: Route): readonly Described[] {
  const inPlace = (io: 'input' | 'output', schema: z.ZodType | undefined) =>
    schema ? [{ name: nameOf(schema), place: 'body', schema, toJson: () => jsonSchema(schema, io) }] : [];
  return [...inPlace('input', body), ...inPlace('output', success.body ?? success.events)];
}
