import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { BlockList } from 'node:net';
import { text } from 'node:stream/consumers';
import { apiToken, revoke } from '@gatehouse/domain/testing';
import { recordSkip } from '@gatehouse/fault-figures';
import { createClientAddress } from '@gatehouse/front';
import { describe, expect, test, vi } from 'vitest';
import { caddy } from '../../testing/gateways/caddy.ts';
import { startEchoService } from '../../testing/gateways/echo-service.ts';
import { isInstalled, startGateway } from '../../testing/gateways/gateway.ts';
import { nginx } from '../../testing/gateways/nginx.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const REALM = 'Bearer realm="gatehouse"';

const GATEWAYS = [
  { gateway: nginx, isPresent: isInstalled(nginx, '-v') },
  { gateway: caddy, isPresent: isInstalled(caddy, 'version') },
];

for (const { gateway, isPresent } of GATEWAYS) {
  const { program, file } = gateway;
  // This tests how a real gateway behaves; no substitute would do.
  if (!isPresent)
    recordSkip(`docs/use/gateways/${file}`, `${program} is not installed (apt-get install ${program})`);
}

/** Headers in which a client claims to be another user, in spellings that services cannot tell apart. */
const CLAIMS = [
  'X-Gatehouse-User',
  'x-gatehouse-account',
  'X_Gatehouse_User',
  'x_gatehouse_role',
  'X-Gatehouse_Token',
  'X_GATEHOUSE-SCOPES',
  'X.Gatehouse.User',
  'X-Gatehouse.Role',
];

/** The name of a header as CGI and many frameworks see it. */
const seenAs = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');

describe.for(GATEWAYS)('$gateway.program in front of a service', ({ gateway, isPresent }) => {
  /** Starts Gatehouse, the service and the gateway. */
  async function open(answer?: Parameters<typeof startEchoService>[0]) {
    const resources = new AsyncDisposableStack();
    const proxies = new BlockList();
    proxies.addAddress('127.0.0.1');
    const gatehouse = await startTestServer({ ports: { clientAddress: createClientAddress(proxies) } });
    resources.use(gatehouse);
    const service = resources.use(await startEchoService(answer));
    const { port } = resources.use(
      await startGateway(gateway, { gatehouse: gatehouse.url, service: service.url }),
    );
    const { world, people } = gatehouse;
    const { token } = await gatehouse.orders();
    return {
      gatehouse,
      world,
      token,
      bearer: `Bearer ${token.secret}`,
      /** A token of the same admin that has no scope of the service. */
      async poorBearer() {
        const { secret } = await apiToken(world, people.admin);
        return `Bearer ${secret}`;
      },
      five: {
        'x-gatehouse-user': String(people.admin.id),
        'x-gatehouse-account': String(people.account.id),
        'x-gatehouse-role': 'admin',
        'x-gatehouse-token': token.record.id,
        'x-gatehouse-scopes': 'orders:read',
      },
      received: service.received,
      /** Sends a request to the gateway. */
      async send(
        headers: RequestOptions['headers'],
        { body = '', ...options }: RequestOptions & { body?: string } = {},
      ) {
        const sent = request({ port, host: '127.0.0.1', path: '/a?b=c', headers, agent: false, ...options });
        const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage];
        const { statusCode, headers: answered } = response;
        return { status: statusCode, headers: answered, body: await text(response) };
      },
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  }

  /** What the service takes for the five headers, whichever way they are spelled. */
  function claimsIn({ headers }: { readonly headers: readonly (readonly [string, string])[] }) {
    return Object.fromEntries(
      headers
        .filter(([name]) => seenAs(name).startsWith('X_GATEHOUSE_'))
        .map(([name, value]) => [name.toLowerCase(), value]),
    );
  }

  const challengeOf = ({ status, headers }: { status?: number; headers: IncomingMessage['headers'] }) => [
    status,
    headers['www-authenticate'],
  ];

  test.skipIf(!isPresent)('an accepted token reaches the service with all five headers', async () => {
    await using scene = await open();
    const { bearer: authorization, five, received, send } = scene;
    expect(await send({ authorization })).toMatchObject({ status: 200, body: 'from the service' });
    const body = 'name=anvil';
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
    expect(await send({ authorization, ...type }, { method: 'POST', body })).toMatchObject({ status: 200 });
    expect(received.map(claimsIn)).toEqual([five, five]);
    expect(received).toMatchObject([
      { method: 'GET', url: '/a?b=c' },
      { method: 'POST', url: '/a?b=c', body },
    ]);
  });

  test.skipIf(!isPresent)(
    'no header in which a client claims to be another user reaches the service',
    async () => {
      await using scene = await open();
      const { bearer: authorization, five, received, send } = scene;
      for (const name of CLAIMS) await send({ authorization, [name]: 'forged' });
      const all = Object.fromEntries(CLAIMS.map((name) => [name, ['forged', 'forged again']]));
      await send({ authorization, ...all });
      expect(received.map(claimsIn)).toEqual(Array(CLAIMS.length + 1).fill(five));
      expect((await send(all)).status).toBe(401);
      expect(received).toHaveLength(CLAIMS.length + 1);
    },
  );

  test.skipIf(!isPresent)(
    'a client cannot have the headers removed as belonging to its connection',
    async () => {
      await using scene = await open();
      const { bearer: authorization, five, received, send } = scene;
      const names = Object.keys(five).join(', ');
      for (const connection of [`close, ${names}`, `${names}, close`])
        await send({ authorization, connection });
      expect(received.map(claimsIn)).toEqual([five, five]);
    },
  );

  test.skipIf(!isPresent)(
    'refusals reach the client with their challenge, and the service is not asked',
    async () => {
      await using scene = await open();
      const { bearer, poorBearer, received, send } = scene;
      expect(challengeOf(await send({}))).toEqual([401, REALM]);
      const forged = { authorization: 'Bearer v4.public.forged' };
      for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS'])
        expect(challengeOf(await send(forged, { method }))).toEqual([401, `${REALM}, error="invalid_token"`]);
      const lacking = `${REALM}, error="insufficient_scope", scope="orders:read"`;
      expect(challengeOf(await send({ authorization: await poorBearer() }))).toEqual([403, lacking]);
      for (const authorization of [[bearer, bearer], `${bearer}, ${bearer}`])
        expect((await send({ authorization })).status).toBe(400);
      expect(received).toEqual([]);
    },
  );

  test.skipIf(!isPresent)('a revoked token is refused at once, however often it was accepted', async () => {
    await using scene = await open();
    const { gatehouse, bearer: authorization, token, received, send } = scene;
    for (let times = 0; times < 20; times += 1) expect((await send({ authorization })).status).toBe(200);
    await revoke(gatehouse.world, gatehouse.people.admin, token.record.id);
    const refused = [401, `${REALM}, error="invalid_token"`];
    expect(challengeOf(await send({ authorization }))).toEqual(refused);
    expect(received).toHaveLength(20);
  });

  test.skipIf(!isPresent)('without Gatehouse the answer is 503, and the service is not asked', async () => {
    await using scene = await open();
    const { gatehouse, bearer: authorization, received, send } = scene;
    expect((await send({ authorization })).status).toBe(200);
    await gatehouse[Symbol.asyncDispose]();
    const { status, headers } = await send({ authorization });
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '1', 'no-store']);
    expect(received).toHaveLength(1);
  });

  test.skipIf(!isPresent)('the pages of other sites may use the service', async () => {
    await using scene = await open();
    const browser = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site', cookie: 'a=b' };
    expect((await scene.send({ authorization: scene.bearer, ...browser })).status).toBe(200);
  });

  test.skipIf(!isPresent)(
    'uses are recorded with the address of the client, and not with one that it claims',
    async () => {
      await using scene = await open();
      const { world, token, bearer: authorization, send } = scene;
      const used = vi.spyOn(world.usage, 'used');
      await send({ authorization, 'x-forwarded-for': '203.0.113.7' }, { localAddress: '127.0.0.2' });
      expect(used.mock.calls).toEqual([[token.record.id, world.clock.now(), '127.0.0.2', 'orders']]);
    },
  );

  test.skipIf(!isPresent)('the service’s own refusals and errors reach the client as they are', async () => {
    for (const [status, challenge] of [
      [403, 'Bearer realm="orders"'],
      [401, 'Bearer realm="orders"'],
      [500, undefined],
    ] as const) {
      await using scene = await open((response) => {
        response.statusCode = status;
        if (challenge !== undefined) response.setHeader('www-authenticate', challenge);
      });
      const answer = await scene.send({ authorization: scene.bearer });
      expect([...challengeOf(answer), answer.body]).toEqual([status, challenge, 'from the service']);
    }
  });
});
