import { ROUTES } from '@gatehouse/api-contract';
import { createClient } from '@gatehouse/client';
import { UnavailableFault } from '@gatehouse/domain';
import { apiToken, signInToken } from '@gatehouse/domain/testing';
import { type ProblemName, problemsOf, type Route } from '@gatehouse/extension-kit/http';
import { type RawReply, sendRaw } from '@gatehouse/front/testing';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { describe, expect, it } from 'vitest';
import { FORM } from '../../testing/client.ts';
import { documentedAnswers, expectAsDocumented } from '../../testing/document-check.ts';
import { factsOf } from '../../testing/example-facts.ts';
import { type Example, exampleOf, routesOf, targetOf } from '../../testing/examples.ts';
import type { MemoryOptions } from '../../testing/memory-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';
import type { AppPorts } from '../app.ts';

/** Header fields; those that are undefined are left out. */
type Fields = Readonly<Record<string, string | undefined>>;

interface SceneOptions extends Pick<MemoryOptions, 'format' | 'timeLimits'> {
  readonly ports?: Partial<AppPorts>;
}

async function serveScene(options: SceneOptions = {}) {
  // Keys of real signers, whose ids are spelled as the document says.
  const key = await createPasetoTokenSigner().generateKey();
  const served = await startTestServer({
    ...options,
    ports: {
      listPublicKeys: async () => (['paseto', 'jwt'] as const).map((format) => ({ ...key, format })),
      ...options.ports,
    },
  });
  const { admin, member } = served.people;
  const facts = await factsOf(served);
  const { secret: credential, token } = await served.orders();
  const tokens = {
    admin: token.secret,
    member: await signInToken(served.world, member),
  };

  /** The request of an example, changed in this and that. */
  async function send(
    route: Route,
    example: Example,
    fields: Fields = {},
    body = textOf(route, example),
    query = '',
  ) {
    const all: Fields = {
      Host: 'x',
      Connection: 'close',
      'Content-Length': String(Buffer.byteLength(body)),
      Authorization:
        route.rule && `Bearer ${route.rule.services ? credential : tokens[example.as ?? 'admin']}`,
      'Content-Type': route.body && (route.isForm ? FORM : 'application/json'),
      ...fields,
    };
    const lines = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}\r\n`],
    );
    const head = `${route.method} ${targetOf(route, example)}${query} HTTP/1.1\r\n${lines.join('')}\r\n`;
    const [reply] = await sendRaw(served.url, head + body);
    return reply ?? expect.fail(`no answer to ${head}`);
  }

  const tokenWithout = async (route: Route) => {
    const scopes = served.world.catalog.scopes.filter(
      (scope) => scope !== '*' && route.rule && scope !== route.rule.scope,
    );
    return (await apiToken(served.world, admin, { scopes })).secret;
  };
  return { ...served, facts, send, tokenWithout };
}

type Scene = Awaited<ReturnType<typeof serveScene>>;

function textOf({ isForm }: Route, { body }: Example): string {
  if (body === undefined) return '';
  return isForm ? `${new URLSearchParams(body as Record<string, string>)}` : JSON.stringify(body);
}

/**
 * A request like the one that succeeds, but for what makes it end with a problem; for each that no route names
 * itself.
 */
const VARIATIONS: {
  readonly [Name in ProblemName]?: (scene: Scene, route: Route, good: Example) => Promise<RawReply>;
} = {
  malformed_request: ({ send }, route, good) => send(route, good, { HOST: 'y' }),
  cross_site_request: ({ send }, route, good) => send(route, good, { Origin: 'https://evil.example' }),
  headers_too_large: ({ send }, route, good) => send(route, good, { Padding: 'x'.repeat(17_000) }),
  async request_timeout(_, route, good) {
    await using hurried = await serveScene({ timeLimits: { headers: 100, request: 200, checkEvery: 20 } });
    const [late] = await sendRaw(
      hurried.url,
      `${route.method} ${targetOf(route, good)} HTTP/1.1\r\nHost: x\r\n`,
    );
    return late ?? expect.fail('no answer');
  },
  internal_error: (_, route, good) => sendWhileFailing(new Error('secret'), route, good),
  unavailable: (_, route, good) => sendWhileFailing(new UnavailableFault('secret'), route, good),
  repeated_authorization: ({ send }, route, good) => send(route, good, { AUTHORIZATION: 'Bearer x' }),
  token_required: ({ send }, route, good) => send(route, good, { Authorization: undefined }),
  token_not_accepted: ({ send }, route, good) => send(route, good, { Authorization: 'Bearer x' }),
  service_credential_required: ({ send }, route, good) => send(route, good, { Authorization: undefined }),
  service_credential_not_accepted: ({ send }, route, good) =>
    send(route, good, { Authorization: 'Bearer ghs_x' }),
  insufficient_scope: async ({ send, tokenWithout }, route, good) =>
    send(route, good, { Authorization: `Bearer ${await tokenWithout(route)}` }),
  async network_not_allowed({ send, world, people }, route, good) {
    const networks = { mode: 'enforced', list: ['203.0.113.0/24'] } as const;
    const { secret } = await apiToken(world, people.admin, { networks });
    return send(route, good, { Authorization: `Bearer ${secret}` });
  },
  malformed_body: ({ send }, route, good) => send(route, good, {}, route.isForm ? '%' : '{'),
  body_too_large: ({ send }, route, good) => send(route, good, {}, 'x'.repeat(20_000)),
  json_too_large: ({ send }, route, good) => send(route, good, {}, 'x'.repeat(263_000)),
  unsupported_media_type: ({ send }, route, good) => send(route, good, { 'Content-Type': undefined }),
  invalid_input: ({ send }, route, good) => send(route, good, {}, 'null'),
  malformed_query: sendTwice,
  invalid_query: sendTwice,
};

/** Sends a parameter of the query twice. */
function sendTwice({ send }: Scene, route: Route, good: Example): Promise<RawReply> {
  const [name] = Object.keys(route.query ?? {});
  return send(route, good, {}, '', `?${name}=1&${name}=1`);
}

async function sendWhileFailing(fault: Error, route: Route, good: Example): Promise<RawReply> {
  const fail = async () => {
    throw fault;
  };
  await using scene = await serveScene({
    ports: {
      authenticateToken: fail,
      authenticateUnrecorded: fail,
      authenticateService: fail,
      signIn: fail,
      listPublicKeys: fail,
    },
  });
  return await scene.send(route, good);
}

/** The route's own example, on a server of its own: some leave it changed. */
async function answerToOwn(route: Route, outcome: string): Promise<RawReply | undefined> {
  await using plain = await serveScene();
  const own = exampleOf(plain.facts, route, outcome);
  if (!own) return undefined;
  await using scene = await serveScene({ ports: own.replace ?? {} });
  const example = exampleOf(scene.facts, route, outcome) ?? own;
  await Promise.all(Array.from({ length: example.after ?? 0 }, () => scene.send(route, example)));
  return await scene.send(route, example);
}

/** An answer for each outcome of the route. */
async function answersOf(route: Route): Promise<readonly (readonly [outcome: string, RawReply])[]> {
  await using scene = await serveScene();
  const good = exampleOf(scene.facts, route, 'success') ?? expect.fail(`${route.operationId}: no example`);
  const success = await scene.send(route, good);
  const answers: (readonly [string, RawReply])[] = [['success', success]];
  if (route.success.etag) {
    answers.push([
      'unchanged',
      await scene.send(route, good, { 'If-None-Match': success.headers.get('etag') }),
    ]);
  }
  const variations: Readonly<Record<string, (typeof VARIATIONS)[ProblemName]>> = VARIATIONS;
  for (const problem of problemsOf(route).keys()) {
    const reply = (await answerToOwn(route, problem)) ?? (await variations[problem]?.(scene, route, good));
    answers.push([problem, reply ?? expect.fail(`${route.operationId}: no example of ${problem}`)]);
  }
  return answers;
}

/** Reads a response by the typed client. */
async function readByClient(
  operationId: string,
  { status, headers, body }: RawReply,
  input: unknown,
): Promise<object> {
  const client = createClient({
    baseUrl: 'http://x',
    retries: 0,
    fetch: async () => new Response(body === '' ? null : body, { status, headers: [...headers] }),
  });
  // The input decides the request, and the response is there already.
  const methods = client as unknown as Readonly<Record<string, (input: unknown) => Promise<object>>>;
  return await (methods[operationId] ?? expect.fail(`no method ${operationId}`))(input);
}

describe('the OpenAPI document', () => {
  it('describes every response, and every described response occurs', async () => {
    await using scene = await serveScene();
    const answered = await Promise.all(
      routesOf(scene.facts).map(async (route) => ({ route, answers: await answersOf(route) })),
    );
    const seen = new Set<string>();
    for (const { route, answers } of answered) {
      const { operationId, success } = route;
      for (const [outcome, reply] of answers) {
        const problem = problemsOf(route).get(outcome);
        const status = problem?.status ?? (outcome === 'success' ? success.status : 304);
        expect([operationId, outcome, reply.status]).toEqual([operationId, outcome, status]);
        if (problem) expect(JSON.parse(reply.body)).toMatchObject({ type: problem.type });
        expectAsDocumented(operationId, reply);
        // The typed client reads no streams.
        if (operationId in ROUTES && !success.events) {
          const read = { status, body: reply.body === '' ? undefined : JSON.parse(reply.body) };
          const input = route.query === undefined ? 'x' : {};
          expect(await readByClient(operationId, reply, input)).toMatchObject(read);
        }
        expect(reply.body).not.toContain('secret');
        seen.add(`${operationId} ${reply.status}`);
      }
    }
    expect([...seen].sort()).toEqual(documentedAnswers.toSorted());
  });
});
