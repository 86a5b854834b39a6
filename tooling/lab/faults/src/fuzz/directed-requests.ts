import { write } from './bodies.ts';
import type { Operation } from './openapi.ts';
import { assemble, type FuzzRequest, type KnownFacts, type Parts } from './requests.ts';
import type { Authorization } from './tokens.ts';

const NONE: Authorization = { fields: [], mayBeGood: false };
/** Longer than all header fields together may be. */
const TOO_LONG = 'x'.repeat(40_000);
/** Longer than any body may be. */
const TOO_LARGE = 'x'.repeat(300_000);

/**
 * Requests that certainly lead to every outcome of the operations, whatever the seed: a correct call of each operation,
 * and calls with one deviation.
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

function properParts(operation: Operation, known: KnownFacts): Parts {
  const { id, method, path, takesBearer, isForServices, parameters, bodies } = operation;
  const [contentType] = Object.keys(bodies);
  const [example = {}] = known.examples[id] ?? [];
  const query = parameters.flatMap(({ in: place, name }) => {
    const [value] = place === 'query' ? valuesOf(known, id, name) : [];
    return value === undefined ? [] : [`${name}=${value}`];
  });
  const target = filled(path, (name) => valuesOf(known, id, name)[0]);
  return {
    method,
    target: query.length === 0 ? target : `${target}?${query.join('&')}`,
    hosts: ['localhost'],
    authorization: takesBearer ? bearer(isForServices ? known.credential : known.tokens.good[0]) : NONE,
    fields: [],
    oddFields: [],
    body: contentType === undefined ? undefined : write(contentType, Object.entries(example)),
    isChunked: false,
  };
}

function deviations(
  { id, path, takesBearer, parameters }: Operation,
  { body, target }: Parts,
  known: KnownFacts,
): readonly Partial<Parts>[] {
  const { tokens, examples } = known;
  const namesIn = (place: 'path' | 'header' | 'query') =>
    parameters.filter((one) => one.in === place).map(({ name }) => name);
  const knownIn = (place: 'path' | 'header') =>
    namesIn(place).flatMap((name) => valuesOf(known, id, name).map((value) => ({ name, value })));
  const withBody = (bytes: Buffer) => ({ body: { contentType: body?.contentType, bytes } });
  return [
    { method: 'OPTIONS' },
    { method: 'PROPFIND' },
    { target: '/nowhere' },
    { target: '/nowhere', hosts: [] },
    { hosts: [] },
    { oddFields: [['X-Padding', TOO_LONG]] },
    ...(takesBearer ? [NONE, ...tokens.good.map(bearer)].map((authorization) => ({ authorization })) : []),
    ...[...knownIn('path'), ...namesIn('path').map((name) => ({ name, value: 'x' }))].map(
      ({ name, value }) => ({
        target: filled(path, (other) => (other === name ? value : valuesOf(known, id, other)[0])),
      }),
    ),
    // A parameter that occurs twice is invalid whatever its values.
    ...namesIn('query').map((name) => ({
      target: `${target}${target.includes('?') ? '&' : '?'}${name}=1&${name}=1`,
    })),
    ...knownIn('header').map(({ name, value }) => ({ fields: [[name, value]] as const })),
    ...(body === undefined
      ? []
      : [
          ...(examples[id] ?? []).map((example) => ({
            body: write(body.contentType ?? '', Object.entries(example)),
          })),
          // As JSON, `{` is malformed; as a form, `%` is.
          ...['{', '%', '{}', '[]', TOO_LARGE].map((text) => withBody(Buffer.from(text))),
          { body: { ...body, contentType: 'text/plain' } },
        ]),
  ];
}

const valuesOf = ({ values }: KnownFacts, operation: string, name: string): readonly string[] =>
  values[`${operation}.${name}`] ?? values[name] ?? [];

const filled = (path: string, choose: (name: string) => string | undefined) =>
  path.replace(/\{(\w+)\}/g, (_, name) => choose(name) ?? '');

const bearer = (token: string | undefined): Authorization => ({
  fields: [`Bearer ${token}`],
  mayBeGood: true,
});
