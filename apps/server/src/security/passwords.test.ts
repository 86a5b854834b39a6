import { signIn } from '@gatehouse/domain/sign-in';
import { unwrap } from '@gatehouse/domain/testing';
import { openRaw } from '@gatehouse/front/testing';
import { type Argon2, createArgon2PasswordHasher } from '@gatehouse/password-argon2';
import { describe, expect, test } from 'vitest';
import { SIGN_IN_PATH } from '../../testing/client.ts';
import { type DemoServer, OPERATOR } from '../../testing/postgres-server.ts';
import { attempt, FORMATS } from '../../testing/sign-in-attempt.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

describe('a password', () => {
  const PASSWORD = `${'Zx9 '.repeat(18)}!`;

  async function givenUser(
    { container, demo }: DemoServer,
    email = 'zoe@acme.example',
    password = PASSWORD,
  ): Promise<string> {
    const { createUser } = container.services.useCases;
    const user = { accountId: demo.account.id as never, email, name: 'Zoe' };
    return unwrap(await createUser(OPERATOR, { ...user, role: 'member', password })).email;
  }

  test('is verified exactly as sent, whatever it is sent in: a trailing space and the 73rd character matter', async () => {
    await using server = await startTestServer({ database: 'postgres' });
    const email = await givenUser(server);
    expect(PASSWORD).toHaveLength(73);
    for (const format of Object.keys(FORMATS)) {
      expect((await attempt(server, { email, password: PASSWORD }, '', format)).status).toBe(200);
      for (const password of [
        `${PASSWORD} `,
        ` ${PASSWORD}`,
        PASSWORD.slice(0, 72),
        `${PASSWORD.slice(0, 72)}?`,
        PASSWORD.toLowerCase(),
        PASSWORD.replaceAll(' ', '+'),
        encodeURIComponent(PASSWORD),
      ]) {
        expect((await attempt(server, { email, password }, '', format)).status).toBe(401);
      }
    }
  });

  test.each([
    ['\u{1f642}', '\u{1f642}'],
    ['e\u0301', '\u00e9'],
    ['\u1112\u1161\u11ab', '\ud55c'],
    ['\u00a0', '\u2003'],
  ])('is taken whether it has %j or %j, in all lengths in which it can be set', async (one, other) => {
    await using server = await startTestServer({ database: 'postgres' });
    for (const length of [12, 513, 1024]) {
      const password = (character: string) => `${character.repeat(length - 1)}!`;
      const email = await givenUser(server, `zoe-${length}@acme.example`, password(one));
      for (const format of Object.keys(FORMATS)) {
        expect((await attempt(server, { email, password: password(other) }, '', format)).status).toBe(200);
      }
      const body = { email, password: password(one) };
      expect((await attempt(server, body, '')).status).toBe(200);
      if (length < 1024) continue;
      const longer = await attempt(server, { email, password: `${body.password}!` }, '');
      expect(longer.status).toBe(422);
    }
  });
});

/** Hashing that lasts until it is let go. */
function gatedHashing() {
  const waiting: (() => void)[] = [];
  let most = 0;
  let underWay = 0;
  const work = async <T>(answer: T): Promise<T> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => waiting.push(resolve));
    underWay -= 1;
    return answer;
  };
  const argon2: Argon2 = { hash: () => work(''), verify: () => work(false) };
  return {
    argon2,
    underWay: () => underWay,
    most: () => most,
    release: () => {
      for (const go of waiting.splice(0)) go();
    },
  };
}

describe('hashing', () => {
  const LIMITS = { concurrency: 2, queueLimit: 3 };

  test('is counted until it ends when its request is aborted, and never more is under way than the cap', async () => {
    const hashing = gatedHashing();
    const hasher = createArgon2PasswordHasher({ ...LIMITS, argon2: hashing.argon2 });
    await using served = await startTestServer({
      ports: (world) => ({
        signIn: signIn({ ...world, format: 'paseto', lifetimeMs: 60_000, passwords: hasher }),
      }),
    });
    const { admin } = served.people;
    const body = JSON.stringify({ email: admin.email, password: 'a wrong password' });
    const post = `POST ${SIGN_IN_PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const send = async (requests: number) => {
      const connections = await Promise.all(Array.from({ length: requests }, () => openRaw(served.url)));
      for (const connection of connections) connection.write(post);
      return connections;
    };
    const load = ({ active, waiting } = hasher.load()) => [active, waiting];

    const aborted = await send(5);
    await expect.poll(() => load()).toEqual([2, 3]);
    for (const { socket } of aborted) socket.resetAndDestroy();
    await expect.poll(() => served.server.sockets.size).toBe(0);
    expect(load()).toEqual([2, 3]);

    // A hash keeps its place until it ends, though its client has gone.
    for (const connection of await send(4)) {
      const [reply] = await connection.replies(1);
      expect([reply?.status, reply?.headers.get('retry-after')]).toEqual([503, '1']);
      connection.socket.destroy();
    }
    expect([hashing.underWay(), hashing.most()]).toEqual([2, 2]);

    while (load().some((some) => some > 0)) {
      hashing.release();
      await new Promise(setImmediate);
    }
    const [late] = await send(1);
    await expect.poll(() => load()).toEqual([1, 0]);
    hashing.release();
    expect((await late?.replies(1))?.[0]?.status).toBe(401);
    late?.socket.destroy();
    expect(hashing.most()).toBe(LIMITS.concurrency);
  });
});
