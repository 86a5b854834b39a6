import { defineRoute, named, pageOf, pageQuery, type Route } from '@gatehouse/extension-kit/http';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../routes/index.ts';
import { createOpenApiDocument } from './document.ts';

/** The document as JSON, as a client gets it. */
const served = () => JSON.parse(JSON.stringify(createOpenApiDocument('paseto')));

interface ProblemSchema {
  readonly allOf: unknown;
  readonly properties: { readonly type: { readonly const: string } };
}

/** A route that is named after its path. */
const aGet = (path: `/${string}`, parts: Pick<Route, 'params' | 'success'>) =>
  defineRoute({
    operationId: path,
    method: 'GET',
    path,
    tag: 'Orgs',
    summary: 'Get',
    public: true,
    ...parts,
  });

// The text of the document is compared byte for byte in apps/server/src/interface/recorded-interface.test.ts.
describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, with every reference in it', async () => {
    const validator = new Validator();
    expect(await validator.validate(served())).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(JSON.stringify(validator.resolveRefs())).not.toContain('$ref');
  });

  const complaints = async (document: object) => {
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: JSON.stringify(document), config });
    return found.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  };

  it('passes the recommended rules of a linter, without warnings', { timeout: 30_000 }, async () => {
    expect(await complaints(served())).toEqual([]);
    const repeated = served();
    repeated.components.schemas.Me.properties.role.enum = ['admin', 'admin'];
    expect(await complaints(repeated)).not.toEqual([]);
  });

  // Rules of `spectral:oas` that the linter above does not have. The linter itself brings 200 packages.
  it('has absolute addresses only, a contact, and a description of each operation, as Spectral wants', () => {
    const origin = 'https://gatehouse.example';
    const absolute = JSON.parse(JSON.stringify(createOpenApiDocument('paseto', undefined, origin)));
    for (const { info, externalDocs, paths } of [served(), absolute]) {
      expect(info.contact.name).toEqual(expect.any(String));
      if (externalDocs) expect(new URL(externalDocs.url).protocol).toMatch(/^https?:$/);
      for (const operation of Object.values<object>(paths).flatMap((path) => Object.values(path)))
        expect(operation.description, operation.operationId).toEqual(expect.stringMatching(/\S/));
    }
    expect(served()).not.toHaveProperty('externalDocs');
    expect(absolute.externalDocs.url).toBe('https://gatehouse.example/docs');
  });

  it('has the server that it comes from as the first one: that of PUBLIC_URL, else wherever it was fetched', () => {
    const [relative, example] = served().servers;
    for (const from of ['http://127.0.0.1:8080', 'https://company.example'])
      expect(new URL(relative.url, `${from}/openapi.json`).href).toBe(`${from}/`);
    const { protocol, host } = example.variables;
    expect(`${protocol.default}://${host.default}`).toBe('http://localhost:8080');
    const [absolute] = createOpenApiDocument('paseto', undefined, 'https://gatehouse.example').servers;
    expect(absolute).toMatchObject({ url: 'https://gatehouse.example' });
  });

  it('has a schema for each problem, which is a Problem and the only one of its type', () => {
    const { Problem, ...schemas } = served().components.schemas;
    const problems = Object.entries<ProblemSchema>(schemas).filter(([name]) => name.endsWith('Problem'));
    expect(Problem.required).toEqual(['type', 'title', 'status']);
    for (const [, { allOf }] of problems) expect(allOf).toEqual([{ $ref: '#/components/schemas/Problem' }]);
    const types = problems.map(([, { properties }]) => properties.type.const);
    expect(types).toContain('urn:gatehouse:problem:token-required');
    expect(new Set(types).size).toBe(types.length);
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
      public: true,
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

  it('describes the header fields of a route', () => {
    const { responses } = served().paths['/api/v1/auth.json'].post;
    expect(responses[200].headers['X-Token-Expires-At']).toEqual({
      description: 'When the token ends.',
      required: true,
      schema: { type: 'string', format: 'date-time' },
    });
    expect(responses[401].headers).not.toHaveProperty('X-Token-Expires-At');
  });

  it('is not made with a refusal that has the code of another problem, and is another', () => {
    const refusing = (path: `/${string}`, title: string) => ({
      ...aGet(path, { success: { status: 204, description: 'It.', cacheControl: 'no-store' } }),
      refusals: [{ code: 'gauge_broken', status: 409, title, exit: 'conflict' } as const],
    });
    const make = (title: string) => () =>
      createOpenApiDocument('jwt', [refusing('/a', 'Broken.'), refusing('/b', title)]);
    expect(make('Broken.')).not.toThrow();
    expect(make('Cracked.')).toThrow('two problems that differ have the name gauge_broken');
  });

  it('describes the tag of an extension by its name, and its own refusals as problems', () => {
    const getGauge = defineRoute({
      operationId: 'getGauge',
      method: 'GET',
      path: '/gauge',
      tag: 'Gauges',
      summary: 'Read it',
      public: true,
      success: { status: 200, description: 'It.', body: z.int(), cacheControl: 'no-store' },
      refusals: [{ code: 'gauge_broken', status: 409, title: 'The gauge is broken.', exit: 'conflict' }],
    });
    const document = createOpenApiDocument('jwt', [getGauge]);
    expect(document.tags.at(-1)).toEqual({ name: 'Gauges', description: 'Gauges' });
    expect(document.paths['/gauge']?.get?.responses[409]).toMatchObject({
      description: 'The gauge is broken.',
      content: {
        'application/problem+json': { schema: { $ref: '#/components/schemas/GaugeBrokenProblem' } },
      },
    });
    expect(document.components.schemas.GaugeBrokenProblem).toMatchObject({
      properties: { type: { const: 'urn:gatehouse:problem:gauge-broken' } },
    });
  });

  const body = (id: z.ZodType) => named('Thing', z.strictObject({ id }));
  const shared = body(z.string());
  it.each([
    ['are the same object', shared, shared, undefined],
    ['are written alike', body(z.int()), body(z.int()), undefined],
    ['differ', body(z.int()), body(z.string()), 'two bodies that differ have the name Thing'],
  ])('has one body of a name, if two of them %s', (_, one, other, refusal) => {
    const returning = (path: `/${string}`, of: z.ZodType) =>
      aGet(path, { success: { status: 200, description: 'It.', body: of, cacheControl: 'no-store' } });
    const make = () => createOpenApiDocument('jwt', [returning('/a', one), returning('/b', other)]);
    if (refusal) expect(make).toThrow(refusal);
    else
      expect(Object.keys(make().components.schemas).filter((name) => !name.endsWith('Problem'))).toEqual([
        'Thing',
      ]);
  });

  it('is not made with two parameters that differ and have one name', () => {
    const withId = (path: `/${string}`, id: z.ZodType) =>
      aGet(path, {
        params: { id: named('ThingId', id) },
        success: { status: 204, description: 'It.', cacheControl: 'no-store' },
      });
    const routes = [withId('/a/{id}', z.string()), withId('/b/{id}', z.string().max(2))];
    expect(() => createOpenApiDocument('jwt', routes)).toThrow(
      'two parameters that differ have the name ThingId',
    );
  });
});
