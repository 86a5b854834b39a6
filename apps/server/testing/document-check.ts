import { createOpenApiDocument } from '@gatehouse/api-contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { RawReply } from './raw-http.ts';

interface HeaderObject {
  readonly required: boolean;
  readonly schema: object;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly headers: Record<string, { $ref: string }>; readonly content?: object }>
  >;
}

const document = JSON.parse(JSON.stringify(createOpenApiDocument({ bearerFormat: 'PASETO' })));
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

/** Headers that tell a client something: one that is sent is one that is described. */
const TELLING = ['etag', 'cache-control', 'retry-after', 'www-authenticate', 'x-token-expires-at', 'allow'];

const operations = new Map<string, { readonly operation: Operation; readonly pointer: string }>();
for (const [path, methods] of Object.entries<Record<string, Operation>>(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const pointer = `document#/paths/${path.replaceAll('/', '~1')}/${method}/responses`;
    operations.set(operation.operationId, { operation, pointer });
  }
}

/** Every operation with every status that the document has for it. */
export function documentedAnswers(): readonly string[] {
  return [...operations].flatMap(([id, { operation }]) =>
    Object.keys(operation.responses).map((status) => `${id} ${status}`),
  );
}

/** Expects the answer to be one that the document describes for this operation. */
export function expectAsDocumented(operationId: string, reply: RawReply): void {
  const { operation, pointer } = operations.get(operationId) ?? expect.fail(`no operation ${operationId}`);
  const described =
    operation.responses[reply.status] ?? expect.fail(`${operationId} ${reply.status} is unheard of`);

  if (described.content) {
    const [[type] = ['']] = Object.entries(described.content);
    expect(reply.headers.get('content-type')).toBe(type);
    const schema = `${pointer}/${reply.status}/content/${type.replaceAll('/', '~1')}/schema`;
    expectValid({ $ref: schema }, JSON.parse(reply.body));
  } else {
    expect([reply.body, reply.headers.get('content-type')]).toEqual(['', undefined]);
  }

  for (const [name, { $ref }] of Object.entries(described.headers)) {
    const { required, schema }: HeaderObject = document.components.headers[$ref.split('/').at(-1) ?? ''];
    const value = reply.headers.get(name.toLowerCase());
    if (required) expect(value, `${operationId} ${reply.status} ${name}`).toBeDefined();
    if (value !== undefined) expectValid(schema, value);
  }
  const names = Object.keys(described.headers).map((name) => name.toLowerCase());
  for (const name of TELLING.filter((telling) => reply.headers.has(telling))) expect(names).toContain(name);
}

function expectValid(schema: object, value: unknown): void {
  const validate = ajv.compile(schema);
  validate(value);
  expect(validate.errors).toBeNull();
}
