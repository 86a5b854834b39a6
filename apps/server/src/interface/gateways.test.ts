import { readFileSync } from 'node:fs';
import { addServiceScope } from '@gatehouse/domain/services';
import { apiToken, OPERATOR, revoke } from '@gatehouse/domain/testing';
import { recordSkip } from '@gatehouse/fault-figures';
import { describe, expect, test, vi } from 'vitest';
import { caddy } from '../../testing/gateways/caddy.ts';
import { isInstalled, replaced } from '../../testing/gateways/gateway.ts';
import { nginx } from '../../testing/gateways/nginx.ts';
import { challengeOf, claimsIn, openGateway } from '../../testing/gateways/open-gateway.ts';

const REALM = 'Bearer realm="gatehouse"';

const GATEWAYS = [
  { gateway: nginx, isPresent: isInstalled(nginx, '-v') },
  { gateway: caddy, isPresent: isInstalled(caddy, 'version') },
];

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

for (const { gateway, isPresent } of GATEWAYS) {
  const { program, file } = gateway;
  // This tests how a real gateway behaves; no substitute would do.
  if (!isPresent)
    recordSkip(`docs/use/gateways/${file}`, `${program} is not installed (apt-get install ${program})`);

  describe.skipIf(!isPresent)(`${program} in front of a service`, () => {
    test('an accepted token reaches the service with all five headers', async () => {
      await using scene = await openGateway(gateway);
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

    test('a token with the most and longest scopes reaches the service, and cuts off no other client', async () => {
      await using scene = await openGateway(gateway);
      const { bearer, received, send, gatehouse } = scene;
      const { world, people } = gatehouse;
      const words = { label: 'Act', allows: 'Acts.' };
      for (let added = true, index = 0; added; index += 1) {
        const scope = `orders:${String(index).padStart(40, 'x')}`;
        added = (await addServiceScope(world)(OPERATOR, { scope, ...words })).ok;
      }
      const { secret } = await apiToken(world, people.admin, { scopes: ['orders:*'] });
      for (const authorization of [`Bearer ${secret}`, `Bearer ${secret}`, bearer])
        expect((await send({ authorization })).status).toBe(200);
      expect(claimsIn(received[0] ?? expect.fail())['x-gatehouse-scopes']?.length).toBeGreaterThan(3900);
    });

    test('no header in which a client claims to be another user reaches the service', async () => {
      await using scene = await openGateway(gateway);
      const { bearer: authorization, five, received, send } = scene;
      for (const name of CLAIMS) await send({ authorization, [name]: 'forged' });
      const all = Object.fromEntries(CLAIMS.map((name) => [name, ['forged', 'forged again']]));
      await send({ authorization, ...all });
      expect(received.map(claimsIn)).toEqual(Array(CLAIMS.length + 1).fill(five));
      expect((await send(all)).status).toBe(401);
      expect(received).toHaveLength(CLAIMS.length + 1);
    });

    test('a client cannot have the headers removed as belonging to its connection', async () => {
      await using scene = await openGateway(gateway);
      const { bearer: authorization, five, received, send } = scene;
      const names = Object.keys(five).join(', ');
      for (const connection of [`close, ${names}`, `${names}, close`])
        await send({ authorization, connection });
      expect(received.map(claimsIn)).toEqual([five, five]);
    });

    test('a client cannot upgrade its connection, and send in it what Gatehouse never sees', async () => {
      await using scene = await openGateway(gateway);
      const { bearer: authorization, received, send } = scene;
      const settings = { 'http2-settings': 'AAMAAABkAAQAAP__' };
      for (const [connection, upgrade] of [
        ['Upgrade, HTTP2-Settings', 'h2c'],
        ['Upgrade', 'websocket'],
      ] as const)
        expect((await send({ authorization, connection, upgrade, ...settings })).status).toBe(200);
      expect(received).toHaveLength(2);
      const names = received.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()));
      expect(names).not.toContain('upgrade');
    });

    test('refusals reach the client with their challenge, and the service is not asked', async () => {
      await using scene = await openGateway(gateway);
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
    });

    test('a revoked token is refused at once, however often it was accepted', async () => {
      await using scene = await openGateway(gateway);
      const { gatehouse, bearer: authorization, token, received, send } = scene;
      for (let times = 0; times < 20; times += 1) expect((await send({ authorization })).status).toBe(200);
      await revoke(gatehouse.world, gatehouse.people.admin, token.record.id);
      const refused = [401, `${REALM}, error="invalid_token"`];
      expect(challengeOf(await send({ authorization }))).toEqual(refused);
      expect(received).toHaveLength(20);
    });

    test('without Gatehouse the answer is 503, and the service is not asked', async () => {
      await using scene = await openGateway(gateway);
      const { gatehouse, bearer: authorization, received, send } = scene;
      expect((await send({ authorization })).status).toBe(200);
      await gatehouse[Symbol.asyncDispose]();
      const { status, headers } = await send({ authorization });
      expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '1', 'no-store']);
      expect(received).toHaveLength(1);
    });

    test('headers of a browser that shows a page of another site change nothing', async () => {
      await using scene = await openGateway(gateway);
      const browser = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site', cookie: 'a=b' };
      expect((await scene.send({ authorization: scene.bearer, ...browser })).status).toBe(200);
    });

    test('uses are recorded with the address of the client, and not with one that it claims', async () => {
      await using scene = await openGateway(gateway);
      const { gatehouse, token, bearer: authorization, send } = scene;
      const used = vi.spyOn(gatehouse.world.usage, 'used');
      await send({ authorization, 'x-forwarded-for': '203.0.113.7' }, { localAddress: '127.0.0.2' });
      const from = '127.0.0.2';
      expect(used.mock.calls).toEqual([
        [token.record.id, gatehouse.world.clock.now(), from, { name: 'orders', from }],
      ]);
    });

    test('the service’s own refusals and errors reach the client as they are', async () => {
      for (const [status, challenge] of [
        [403, 'Bearer realm="orders"'],
        [401, 'Bearer realm="orders"'],
        [500, undefined],
      ] as const) {
        await using scene = await openGateway(gateway, (response) => {
          response.statusCode = status;
          if (challenge !== undefined) response.setHeader('www-authenticate', challenge);
        });
        const answer = await scene.send({ authorization: scene.bearer });
        expect([...challengeOf(answer), answer.body]).toEqual([status, challenge, 'from the service']);
      }
    });
  });
}

test.skipIf(!isInstalled(nginx, '-v'))(
  'in nginx, the scope depends on the method with the lines of the page',
  async () => {
    const page = readFileSync(new URL('../../../../docs/use/gateways.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```nginx\n([\s\S]*?)^```$/gm)];
    const [map = '', address = ''] = blocks.map(([, text = '']) => text);
    await using scene = await openGateway({
      ...nginx,
      place: (shown, places) =>
        map + nginx.place(replaced(shown, /^ *proxy_pass http:\/\/gatehouse.*\n/gm, address), places),
    });
    const { bearer: authorization, send } = scene;
    const statusOf = async (method: string) => (await send({ authorization }, { method })).status;
    expect(await Promise.all(['GET', 'HEAD', 'POST', 'DELETE'].map(statusOf))).toEqual([200, 200, 403, 403]);
  },
);
