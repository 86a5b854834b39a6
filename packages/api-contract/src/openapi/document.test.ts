import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { createOpenApiDocument } from './document.ts';

/** What a client gets: the document as JSON. */
const served = (bearerFormat: 'JWT' | 'PASETO' = 'PASETO') =>
  JSON.parse(JSON.stringify(createOpenApiDocument({ bearerFormat })));

const operations = Object.values<Record<string, { operationId: string; responses: object; tags: string[] }>>(
  served().paths,
).flatMap((path) => Object.values(path));

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, with every reference in it', async () => {
    const validator = new Validator();
    expect(await validator.validate(served())).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(JSON.stringify(validator.resolveRefs())).not.toContain('$ref');
  });

  it('would not be called valid with an operation that has no responses', async () => {
    const broken = served();
    broken.paths['/api/v1/me.json'].get.responses = 'none';
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
  });

  it('describes version 1 at any host, with https unless chosen otherwise', () => {
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

  it('has the operations of the interface, each with a name of its own and a tag', () => {
    expect(operations.map(({ operationId, tags }) => [operationId, ...tags])).toEqual([
      ['getOrg', 'Orgs'],
      ['signIn', 'Authentication'],
      ['getMe', 'Me'],
      ['getOpenApiDocument', 'Description'],
      ['getJwks', 'Keys'],
      ['getPaserkKeys', 'Keys'],
    ]);
  });

  it('lists the statuses of the two operations that the platform fixed', () => {
    expect(operations.slice(0, 2).map(({ responses }) => Object.keys(responses).map(Number))).toEqual([
      [200, 304, 400, 401, 403, 404, 408, 431, 500, 503],
      [200, 400, 401, 408, 413, 415, 422, 429, 431, 500, 503],
    ]);
  });

  it('takes exactly the members of an answer and drops unknown ones of a request', () => {
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
