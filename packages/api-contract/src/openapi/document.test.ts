import { defineRoute, pageOf, pageQuery } from '@gatehouse/extension-kit/http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../routes/index.ts';
import { createOpenApiDocument } from './document.ts';

/** What a client gets: the document as JSON. */
const served = () => JSON.parse(JSON.stringify(createOpenApiDocument('paseto')));

// What the document says is compared byte for byte in apps/server/src/recorded-interface.test.ts.
describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, with every reference in it', async () => {
    const validator = new Validator();
    expect(await validator.validate(served())).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(JSON.stringify(validator.resolveRefs())).not.toContain('$ref');
  });

  it('would be invalid with an operation that has no responses', async () => {
    const broken = served();
    broken.paths['/api/v1/me.json'].get.responses = 'none';
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
  });

  it('has each route once, under its path and method, with its name and a described tag', () => {
    const { paths, tags } = served();
    for (const { operationId, path, method, tag } of Object.values(ROUTES)) {
      expect(paths[path][method.toLowerCase()]).toMatchObject({ operationId, tags: [tag] });
      expect(tags.map(({ name }: { name: string }) => name)).toContain(tag);
    }
    const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
    expect(operations.map(({ operationId }) => operationId)).toEqual(Object.keys(ROUTES));
  });

  it('describes a query by its schemas, and a page with its cursor', () => {
    const listThings = defineRoute({
      operationId: 'listThings',
      method: 'GET',
      path: '/things',
      tag: 'Orgs',
      summary: 'List things',
      query: pageQuery(z.int()),
      success: { status: 200, description: 'A page.', body: pageOf(z.int()), cacheControl: 'no-cache' },
    });
    const document = createOpenApiDocument('jwt', [listThings]);
    expect(document.paths['/things']?.get).toMatchObject({
      parameters: [
        {
          name: 'limit',
          in: 'query',
          required: false,
          schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
        },
        { name: 'cursor', in: 'query', required: false, schema: { type: 'string' } },
        { $ref: '#/components/parameters/RequestId' },
      ],
      responses: { 422: { content: { 'application/problem+json': {} } } },
    });
  });
});
