import fc from 'fast-check';
import { type Body, bodiesFor } from './bodies.ts';
import { ODD_HEADERS } from './odd-values.ts';
import type { Operation, ServedDocument } from './openapi.ts';
import { targetsFor } from './targets.ts';
import { type Authorization, authorizations, type KnownTokens } from './tokens.ts';

/** Facts that are not in the document, because they depend on the deployment. */
export interface KnownFacts {
  readonly tokens: KnownTokens;
  /** The credential of a service. */
  readonly credential: string;
  /**
   * Values of parameters: of existing objects, and of another account's. By name, or by operation and name, such as
   * `getOrg.id`.
   */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Meaningful bodies, by operation. */
  readonly examples: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  /** Whether the request can get another response than a refusal, if it needs a token. */
  readonly mayBeGood: boolean;
  /** The complete request. */
  readonly bytes: Buffer;
}

type Field = readonly [name: string, value: string];

const METHODS = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'FOO'],
];

/** Generates requests from the document: valid ones, with some deviations. */
export function fuzzRequests(
  document: ServedDocument,
  operations: readonly Operation[],
  known: KnownFacts,
): fc.Arbitrary<FuzzRequest> {
  const oddFields = rarely(
    4,
    fc.array(fc.constantFrom<Field>(...ODD_HEADERS), { minLength: 1, maxLength: 2 }),
    [],
  );
  const ofTokens = authorizations(known.tokens);
  const ofServices = authorizations({ good: [known.credential], ended: known.tokens.good });
  const forOperation = (operation: Operation) => {
    const authorization = operation.isForServices ? ofServices : ofTokens;
    const hasBody = Object.keys(operation.bodies).length > 0;
    const body: fc.Arbitrary<Body | undefined> = hasBody
      ? rarely(20, fc.constant(undefined), bodiesFor(document, operation, known.examples[operation.id] ?? []))
      : rarely(20, fc.constant({ contentType: 'application/json', bytes: Buffer.from('{}') }), undefined);
    return fc
      .record({
        method: rarely(12, fc.constantFrom(...METHODS), operation.method),
        target: targetsFor(operation, document, known.values),
        hosts: rarely(25, fc.constantFrom([], ['x', 'y'], ['a b'], ['evil.example:99999'], ['']), [
          'localhost',
        ]),
        authorization: operation.takesBearer ? authorization : rarely(8, authorization, NO_AUTHORIZATION),
        fields: parameterFields(operation, known),
        oddFields,
        body,
        isChunked: rarely(8, fc.constant(true), false),
      })
      .map(assemble);
  };
  // Operations with a body have more ways to fail.
  const choices = operations.map((operation) => ({
    weight: waysToFail(operation),
    arbitrary: forOperation(operation),
  }));
  return fc.oneof(...choices);
}

function waysToFail({ parameters, takesBearer, bodies }: Operation): number {
  return 4 * parameters.length + (takesBearer ? 4 : 0) + (Object.keys(bodies).length > 0 ? 12 : 0);
}

const NO_AUTHORIZATION: Authorization = { fields: [], mayBeGood: false };

function rarely<T, U>(
  once: number,
  arbitrary: fc.Arbitrary<T>,
  otherwise: U | fc.Arbitrary<U>,
): fc.Arbitrary<T | U> {
  const mostly = otherwise instanceof fc.Arbitrary ? otherwise : fc.constant(otherwise);
  return fc.oneof({ weight: once - 1, arbitrary: mostly }, { weight: 1, arbitrary });
}

/** The header fields of the operation, each with a known or an arbitrary value. */
function parameterFields({ parameters }: Operation, { values }: KnownFacts): fc.Arbitrary<readonly Field[]> {
  const names = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const fields = names.map((name) => {
    const any = fc.string({ unit: fieldByte, maxLength: 200 });
    const known = values[name] ?? [];
    const value = known.length > 0 ? fc.oneof(fc.constantFrom(...known), any) : any;
    return rarely(
      4,
      value.map((text): readonly Field[] => [[name, text]]),
      [],
    );
  });
  return fc.tuple(...fields).map((all) => all.flat());
}

const fieldByte = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...'abcXYZ019._-"*, W/') },
  { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) },
);

/** The parts of a request, which need not fit together. */
export interface Parts {
  readonly method: string;
  readonly target: string;
  readonly hosts: readonly string[];
  readonly authorization: Authorization;
  readonly fields: readonly Field[];
  readonly oddFields: readonly Field[];
  readonly body: Body | undefined;
  readonly isChunked: boolean;
}

/** Joins the parts of a request without changing them. */
export function assemble(parts: Parts): FuzzRequest {
  const { method, target, hosts, authorization, fields, oddFields, body, isChunked } = parts;
  const all: Field[] = [
    ...hosts.map((host) => ['Host', host] as const),
    ...authorization.fields.map((value) => ['Authorization', value] as const),
    ...fields,
    ...oddFields,
  ];
  const content: Buffer[] = [];
  if (body) {
    const { contentType, bytes } = body;
    if (contentType !== undefined) all.push(['Content-Type', contentType]);
    all.push(isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(bytes.length)]);
    content.push(...(isChunked ? chunks(bytes) : [bytes]));
  }
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return { method, target, mayBeGood: authorization.mayBeGood, bytes: Buffer.concat([head, ...content]) };
}

/** Splits in two, if it is long enough. */
function chunks(bytes: Buffer): readonly Buffer[] {
  const half = bytes.length >> 1;
  const pieces = [bytes.subarray(0, half), bytes.subarray(half)].filter(({ length }) => length > 0);
  return [
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ];
}
