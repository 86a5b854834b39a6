import { UnavailableFault } from '@gatehouse/domain';
import { PASSWORD } from '@gatehouse/domain/testing';
import { describe, expect, it } from 'vitest';
import { documentedAnswers, expectAsDocumented } from '../testing/document-check.ts';
import { apiToken, populate, signInToken } from '../testing/population.ts';
import { type RawReply, sendRaw } from '../testing/raw-http.ts';
import { type ServeOptions, serveWorld } from '../testing/serve-world.ts';
import type { AppPorts } from './app.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const GOOD = JSON.stringify({ email: 'ada@acme.example', password: PASSWORD });
const TARGETS = {
  getOrg: 'GET /api/v1/orgs/1',
  signIn: 'POST /api/v1/auth.json',
  getMe: 'GET /api/v1/me.json',
  getOpenApiDocument: 'GET /openapi.json',
  getJwks: 'GET /.well-known/jwks.json',
  getPaserkKeys: 'GET /.well-known/paserk.json',
} as const;
type OperationId = keyof typeof TARGETS;
const OPERATIONS = Object.keys(TARGETS) as OperationId[];

async function serveScene(options: ServeOptions = {}) {
  const served = await serveWorld(options);
  const people = await populate(served.world);
  const tokens = {
    admin: (await apiToken(served.world, people.admin, { expiry: { in: 60_000 } })).secret,
    member: await signInToken(served.world, people.member),
    unfit: (await apiToken(served.world, people.admin, { scopes: ['orgs:read'] })).secret,
    unfitForOrgs: (await apiToken(served.world, people.admin, { scopes: ['me:read'] })).secret,
  };
  const send = async (request: string, headers: Record<string, string> = {}, body = '') => {
    const all = {
      Host: 'x',
      Connection: 'close',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const [reply] = await sendRaw(served.url, `${request} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    return reply ?? expect.fail(`no answer to ${request}`);
  };
  return { ...served, people, tokens, send };
}

type Answered = readonly (readonly [operation: OperationId, status: number, reply: RawReply])[];

/** What does not depend on the operation. */
async function answersToBadRequests(): Promise<Answered> {
  await using scene = await serveScene();
  await using hurried = await serveScene({ timeLimits: { headers: 100, request: 200, checkEvery: 20 } });
  const answers = OPERATIONS.map(async (id) => {
    const [late] = await sendRaw(hurried.url, `${TARGETS[id]} HTTP/1.1\r\nHost: x\r\n`);
    return [
      [id, 400, await scene.send(TARGETS[id], { HOST: 'y' })],
      [id, 408, late ?? expect.fail('no answer')],
      [id, 431, await scene.send(TARGETS[id], { Padding: 'x'.repeat(17_000) })],
    ] as const;
  });
  return (await Promise.all(answers)).flat();
}

async function answersWithFaults(status: 500 | 503, fault: Error): Promise<Answered> {
  const fail = async () => {
    throw fault;
  };
  const replace = (): Partial<AppPorts> => ({ authenticateToken: fail, signIn: fail, listPublicKeys: fail });
  await using scene = await serveScene({ replace });
  const headers = { Authorization: 'Bearer x', ...JSON_TYPE };
  return await Promise.all(
    OPERATIONS.filter((id) => id !== 'getOpenApiDocument').map(
      async (id) =>
        [id, status, await scene.send(TARGETS[id], headers, id === 'signIn' ? GOOD : '')] as const,
    ),
  );
}

async function answersToReaders(): Promise<Answered> {
  await using scene = await serveScene();
  const { people, tokens, send } = scene;
  const as = (token: string) => ({ Authorization: `Bearer ${token}` });
  const org = (id: number) => `GET /api/v1/orgs/${id}`;
  const found = await send(org(people.shared.id), as(tokens.admin));
  const unchanged = { ...as(tokens.admin), 'If-None-Match': found.headers.get('etag') ?? '' };
  const twice = { ...as(tokens.admin), AUTHORIZATION: 'Bearer x' };
  return [
    ['getOrg', 200, found],
    ['getOrg', 304, await send(org(people.shared.id), unchanged)],
    ['getOrg', 400, await send(org(people.shared.id), twice)],
    ['getOrg', 401, await send(org(people.shared.id))],
    ['getOrg', 401, await send(org(people.shared.id), as('x'))],
    ['getOrg', 403, await send(org(people.closed.id), as(tokens.member))],
    ['getOrg', 403, await send(org(people.closed.id), as(tokens.unfitForOrgs))],
    ['getOrg', 404, await send(org(people.foreign.id), as(tokens.admin))],
    ['getMe', 200, await send(TARGETS.getMe, as(tokens.member))],
    ['getMe', 400, await send(TARGETS.getMe, twice)],
    ['getMe', 401, await send(TARGETS.getMe)],
    ['getMe', 403, await send(TARGETS.getMe, as(tokens.unfit))],
    ['getOpenApiDocument', 200, await send(TARGETS.getOpenApiDocument)],
  ];
}

async function answersToSignIns(): Promise<Answered> {
  await using scene = await serveScene();
  const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
    scene.send(TARGETS.signIn, headers, body);
  await using busy = await serveScene({
    replace: () => ({ signIn: async () => ({ ok: false, error: { code: 'hashing_busy' } }) }),
  });
  const accepted = await post(GOOD);
  const [first, ...others] = await Promise.all(
    Array.from({ length: 101 }, () => post(JSON.stringify({ email: 'ada@acme.example', password: 'x' }))),
  ).then((replies) => replies.sort((a, b) => a.status - b.status));
  return [
    ['signIn', 200, accepted],
    ['signIn', 400, await post('{')],
    ['signIn', 401, first as RawReply],
    ['signIn', 413, await post('x'.repeat(20_000))],
    ['signIn', 415, await post(GOOD, {})],
    ['signIn', 422, await post('{"email":1}')],
    ['signIn', 429, others.at(-1) as RawReply],
    ['signIn', 503, await busy.send(TARGETS.signIn, JSON_TYPE, GOOD)],
  ];
}

async function answersToKeyReaders(): Promise<Answered> {
  // Keys of real signers, whose ids are spelled as the document says.
  const { createPasetoTokenSigner } = await import('@gatehouse/token-paseto');
  const key = await createPasetoTokenSigner().generateKey();
  await using scene = await serveScene({
    replace: () => ({
      listPublicKeys: async () => (['paseto', 'jwt'] as const).map((format) => ({ ...key, format })),
    }),
  });
  return [
    ['getJwks', 200, await scene.send(TARGETS.getJwks)],
    ['getPaserkKeys', 200, await scene.send(TARGETS.getPaserkKeys)],
  ];
}

describe('the OpenAPI document', () => {
  it('describes every answer, and every answer that it describes is given', async () => {
    const answered = [
      await answersToBadRequests(),
      await answersWithFaults(500, new Error('secret')),
      await answersWithFaults(503, new UnavailableFault('secret')),
      await answersToReaders(),
      await answersToSignIns(),
      await answersToKeyReaders(),
    ].flat();
    for (const [id, status, reply] of answered) {
      expect([id, reply.status]).toEqual([id, status]);
      expectAsDocumented(id, reply);
      expect(reply.body).not.toContain('secret');
    }
    const seen = new Set(answered.map(([id, status]) => `${id} ${status}`));
    expect([...seen].sort()).toEqual(documentedAnswers.toSorted());
  });
});

describe('GET /openapi.json', () => {
  it.each([
    ['paseto', 'PASETO'],
    ['jwt', 'JWT'],
  ] as const)('says which format is issued: %s', async (format, bearerFormat) => {
    await using scene = await serveScene({ format });
    const { body } = await scene.send(TARGETS.getOpenApiDocument);
    expect(JSON.parse(body).components.securitySchemes.bearer.bearerFormat).toBe(bearerFormat);
  });
});
