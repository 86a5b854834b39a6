import type { Operation } from './openapi.ts';
import { assemble, type FuzzRequest, type KnownFacts, type Parts } from './requests.ts';
import type { Authorization } from './tokens.ts';

const NONE: Authorization = { fields: [], mayBeGood: false };
/** Longer than any body may be, and than all header fields together. */
const TOO_LONG = 'x'.repeat(40_000);

/**
 * Requests that lead to every outcome of the operations for certain, whatever the seed: each operation as it should be
 * called, and with one deviation at a time.
 */
export function directedRequests(
  operations: readonly Operation[],
  known: KnownFacts,
): readonly FuzzRequest[] {
  return operations.flatMap((operation) => {
    const proper = properParts(operation, known);
    return [{}, ...deviations(operation, proper, known)].map((deviation) =>
      assemble({ ...proper, ...deviation }),
    );
  });
}

function properParts({ id, method, path, takesBearer, bodies }: Operation, known: KnownFacts): Parts {
  const [contentType] = Object.keys(bodies);
  const [example] = known.examples[id] ?? [];
  return {
    method,
    target: path.replace(/\{(\w+)\}/g, (_, name) => known.values[name]?.[0] ?? ''),
    hosts: ['localhost'],
    authorization: takesBearer ? bearer(known.tokens.good[0]) : NONE,
    fields: [],
    oddFields: [],
    body: contentType === undefined ? undefined : { contentType, bytes: jsonOf(example) },
    isChunked: false,
  };
}

function deviations(
  { id, path, takesBearer, parameters }: Operation,
  { body }: Parts,
  { tokens, values, examples }: KnownFacts,
): readonly Partial<Parts>[] {
  const valuesOf = (place: 'path' | 'header') =>
    parameters
      .filter((one) => one.in === place)
      .flatMap(({ name }) => (values[name] ?? []).map((value) => ({ name, value })));
  const withBody = (bytes: Buffer) => ({ body: { contentType: body?.contentType, bytes } });
  return [
    { method: 'OPTIONS' },
    { method: 'PROPFIND' },
    { target: '/nowhere' },
    { target: '/nowhere', hosts: [] },
    { hosts: [] },
    { oddFields: [['X-Padding', TOO_LONG]] },
    ...(takesBearer ? [NONE, ...tokens.good.map(bearer)].map((authorization) => ({ authorization })) : []),
    ...valuesOf('path').map(({ name, value }) => ({ target: path.replace(`{${name}}`, value) })),
    ...valuesOf('header').map(({ name, value }) => ({ fields: [[name, value]] as const })),
    ...(body === undefined
      ? []
      : [
          ...(examples[id] ?? []).map((example) => withBody(jsonOf(example))),
          ...['{', '{}', TOO_LONG].map((text) => withBody(Buffer.from(text))),
          { body: { ...body, contentType: 'text/plain' } },
        ]),
  ];
}

const bearer = (token: string | undefined): Authorization => ({
  fields: [`Bearer ${token}`],
  mayBeGood: true,
});

const jsonOf = (value: unknown) => Buffer.from(JSON.stringify(value));
