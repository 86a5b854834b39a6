import { defineRoute, pageOf, pageQuery } from '@gatehouse/extension-kit/http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../routes/index.ts';
import { createOpenApiDocument } from './document.ts';

/** What a client gets: the document as JSON. */
const served = (bearerFormat: 'JWT' | 'PASETO' = 'PASETO') =>
  JSON.parse(JSON.stringify(createOpenApiDocument({ bearerFormat })));

const operations = Object.values<Record<string, { operationId: string; responses: object }>>(
  served().paths,
).flatMap((path) => Object.values(path));

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

  it('describes version 1 at any host, with https by default', () => {
    const { info, servers } = served();
    expect(info.version).toBe('1.0.0');
    expect(servers).toHaveLength(1);
    expect(servers[0].url).toBe('{protocol}://{host}');
    expect(servers[0].variables.protocol).toEqual({ enum: ['http', 'https'], default: 'https' });
  });

  it.each(['JWT', 'PASETO'] as const)('has one bearer scheme, which names %s', (bearerFormat) => {
    expect(Object.values(served(bearerFormat).components.securitySchemes)).toMatchObject([
      { type: 'http', scheme: 'bearer', bearerFormat },
    ]);
  });

  it('has each route once, under its path and method, with its name and a described tag', () => {
    const { paths, tags } = served();
    for (const { operationId, path, method, tag } of Object.values(ROUTES)) {
      expect(paths[path][method.toLowerCase()]).toMatchObject({ operationId, tags: [tag] });
      expect(tags.map(({ name }: { name: string }) => name)).toContain(tag);
    }
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).toEqual(Object.keys(ROUTES));
  });

  it.each([
    ['getOrg', [200, 304, 400, 401, 403, 404, 408, 431, 500, 503]],
    ['signIn', [200, 400, 401, 408, 413, 415, 422, 429, 431, 500, 503]],
  ])('lists the statuses of an operation that the platform fixed: %s', (id, statuses) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    expect(Object.keys(operation?.responses ?? {}).map(Number)).toEqual(statuses);
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
    const document = createOpenApiDocument({ bearerFormat: 'JWT', routes: [listThings] });
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

  it('allows exactly the documented members of a response, and drops unknown ones of a request', () => {
    const { Organization, SignInRequest } = served().components.schemas;
    expect(Organization).toMatchObject({
      required: ['id', 'name', 'description'],
      additionalProperties: false,
    });
    expect(SignInRequest).toMatchObject({
      required: ['email', 'password'],
      properties: { email: { maxLength: 320 }, password: { maxLength: 1024 } },
    });
    expect(SignInRequest).not.toHaveProperty('additionalProperties');
  });
});
