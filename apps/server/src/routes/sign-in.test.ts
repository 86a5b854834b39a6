import { UnavailableFault } from '@gatehouse/domain';
import { DEFAULT_SIGN_IN_LIFETIME_MS, signIn } from '@gatehouse/domain/sign-in';
import {
  anEvent,
  aRevocation,
  createFakePasswordHasher,
  GOOD,
  PASSWORD,
  suspend,
} from '@gatehouse/domain/testing';
import { describe, expect, it } from 'vitest';
import { call, ME, problemOf, signInWith, tokenIn } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

describe('POST /api/v1/auth.json', () => {
  it('exchanges email and password for a token that works', async () => {
    await using scene = await startTestServer();
    const reply = await signInWith(scene.url, GOOD);
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(reply.json).toEqual({ token: expect.any(String) });
    const me = await call(scene.url, ME, { token: tokenIn(reply) });
    expect(me.status).toBe(200);
    // The same moment as for each later request with the token.
    const ends = reply.headers.get('x-token-expires-at');
    expect(ends).toBe(new Date(scene.world.clock.now() + DEFAULT_SIGN_IN_LIFETIME_MS).toISOString());
    expect(me.headers.get('x-token-expires-at')).toBe(ends);
  });

  it('matches the email without regard to case, needs no token, and ignores one', async () => {
    await using scene = await startTestServer();
    expect((await signInWith(scene.url, { ...GOOD, email: 'ADA@Acme.Example' })).status).toBe(200);
    for (const headers of [{ authorization: 'Bearer garbage' }, { authorization: 'Basic x' }]) {
      expect((await signInWith(scene.url, GOOD, { headers })).status).toBe(200);
    }
  });

  it('does not reveal why credentials are not accepted', async () => {
    await using scene = await startTestServer();
    const { world, people } = scene;
    const answers = [
      await signInWith(scene.url, { ...GOOD, email: 'missing@acme.example' }),
      await signInWith(scene.url, { ...GOOD, email: 'no email at all' }),
      await signInWith(scene.url, { ...GOOD, password: 'wrong' }),
    ];
    await world.users.disable(people.member.id, aRevocation(), anEvent());
    answers.push(await signInWith(scene.url, { ...GOOD, email: people.member.email }));
    await suspend(world, people.account);
    answers.push(await signInWith(scene.url, GOOD));

    for (const answer of answers) {
      expect(problemOf(answer)).toEqual([401, 'credentials-not-accepted']);
      expect(answer.text).toBe(answers[0]?.text);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="gatehouse"');
    }
    expect(answers).toHaveLength(5);
  });
});

describe('before anything is hashed', () => {
  it('everything else has been validated', async () => {
    let hashes = 0;
    const passwords = createFakePasswordHasher();
    const counting = {
      ...passwords,
      verify: (...args: Parameters<typeof passwords.verify>) => {
        hashes += 1;
        return passwords.verify(...args);
      },
    };
    await using scene = await startTestServer({
      ports: (world) => ({
        signIn: signIn({ ...world, format: 'paseto', lifetimeMs: 60_000, passwords: counting }),
      }),
    });
    const refused = [
      await scene.post('{', 'application/json'),
      await scene.post('{}', 'application/json'),
      await scene.post(JSON.stringify(GOOD), 'text/plain'),
      await scene.post(JSON.stringify({ ...GOOD, password: 'x'.repeat(1_000_000) }), 'application/json'),
      await scene.post(JSON.stringify({ ...GOOD, password: 'x'.repeat(1025) }), 'application/json'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 422, 415, 413, 422]);
    expect(hashes).toBe(0);
    await signInWith(scene.url, GOOD);
    expect(hashes).toBe(1);
  });
});

it.each([
  ['overloaded', { code: 'hashing_busy' }],
  ['unavailable', { code: 'no_active_key', format: 'jwt' }],
] as const)('what cannot be done now is 503 with Retry-After, and is in the log: %s', async (name, error) => {
  await using scene = await startTestServer({ ports: { signIn: async () => ({ ok: false, error }) } });
  const answer = await signInWith(scene.url, GOOD);
  expect([...problemOf(answer), answer.headers.get('retry-after')]).toEqual([503, name, '1']);
  expect(scene.entries()).toMatchObject([{ outcome: error.code }]);
});

describe('the log', () => {
  it('has every outcome, under the id of the request, and never a password or a token', async () => {
    await using scene = await startTestServer();
    const headers = { 'x-request-id': 'my-request' };
    const { json } = await signInWith(scene.url, GOOD, { headers });
    await signInWith(scene.url, { ...GOOD, password: 'a wrong password\r\n{"level":"fatal"}' }, { headers });
    for (const email of ['my secret password', 'my-secret@password', 'no-user@acme.example']) {
      await signInWith(scene.url, { email, password: 'x' }, { headers });
    }
    const common = {
      request_id: 'my-request',
      address: '127.0.0.1',
      kind: 'sign_in',
      msg: 'a sign-in was attempted',
      level: 'info',
    };
    expect(scene.entries()).toMatchObject([
      { ...common, outcome: 'accepted', email: GOOD.email },
      { ...common, outcome: 'credentials_not_accepted', email: GOOD.email },
      ...Array(3).fill({ ...common, outcome: 'credentials_not_accepted', email: null }),
    ]);
    const tags = scene.entries().map(({ email_tag: tag }) => tag);
    expect(tags[0]).toMatch(/^[0-9a-f]{12}$/);
    expect(tags[1]).toBe(tags[0]);
    expect(new Set(tags).size).toBe(4);
    const written = scene.lines.join('');
    for (const secret of [
      PASSWORD,
      'wrong password',
      'my secret',
      'my-secret',
      'no-user',
      (json as { token: string }).token,
    ]) {
      expect(written).not.toContain(secret);
    }
    expect(scene.lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  it.each([
    ['unavailable', 503, new UnavailableFault('the database cannot be reached')],
    ['failed', 500, new TypeError('x')],
  ])(
    'has a line for each sign-in that ends in a fault, although equal faults are counted together: %s',
    async (outcome, status, fault) => {
      await using scene = await startTestServer({
        ports: {
          signIn: async () => {
            throw fault;
          },
        },
      });
      for (const id of ['r-1', 'r-2']) {
        expect((await signInWith(scene.url, GOOD, { headers: { 'x-request-id': id } })).status).toBe(status);
      }
      const signIns = scene.entries().filter(({ kind }) => kind === 'sign_in');
      expect(signIns).toMatchObject(
        ['r-1', 'r-2'].map((request_id) => ({ request_id, outcome, email: null })),
      );
      expect(scene.entries()).toHaveLength(3);
    },
  );
});
