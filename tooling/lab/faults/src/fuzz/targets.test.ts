import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation, ServedDocument } from './openapi.ts';
import { targetsFor } from './targets.ts';

const DOCUMENT: ServedDocument = { paths: {}, components: { headers: {} } };

const LIST: Operation = {
  id: 'listThings',
  method: 'GET',
  path: '/things',
  takesBearer: false,
  isForServices: false,
  parameters: [
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
    { name: 'cursor', in: 'query', schema: { type: 'string' } },
  ],
  bodies: {},
};

const targets = (operation: Operation) =>
  fc.sample(targetsFor(operation, DOCUMENT, { cursor: ['abc'] }), { numRuns: 2000, seed: 1 });

test('an operation that takes a query is sent ones that fit, ones that do not, repeated ones, and none', () => {
  const generated = targets(LIST);
  for (const pattern of [
    /^\/things$/,
    /^\/things\?limit=(?:[1-9]\d?|100)$/,
    /^\/things\?limit=(?!\d+$)[^&]+$/,
    /^\/things\?cursor=abc$/,
    /^\/things\?limit=[^&]*&limit=/,
    /^\/things\?(?=.*limit=)(?=.*cursor=)/,
  ]) {
    expect(generated.filter((target) => pattern.test(target)).length, `${pattern}`).toBeGreaterThan(0);
  }
});

test('an operation that takes none is sent one only as another spelling of its path', () => {
  const generated = targets({ ...LIST, parameters: [] });
  expect(generated.filter((target) => target === '/things').length).toBeGreaterThan(1500);
});
