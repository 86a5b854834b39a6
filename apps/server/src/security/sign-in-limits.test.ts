import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { PostgresServer } from '../../testing/postgres-server.ts';
import { attempt, type SignInFields } from '../../testing/sign-in-attempt.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const WRONG = 'a wrong password';

/**
 * Asks again after a 503, which counts nothing and decides nothing: on a busy machine hashing takes longer than a queued
 * sign-in waits.
 */
async function decided(node: Pick<PostgresServer, 'url'>, fields: SignInFields, address: string) {
  for (;;) {
    const answer = await attempt(node, fields, address);
    if (answer.status !== 503) return answer;
    await delay(100);
  }
}

/** Two servers on one database, which believe the proxy that the tests are. */
async function serveTwo(limits: Readonly<Record<string, string>> = {}) {
  const resources = new AsyncDisposableStack();
  const settings = { TRUST_PROXY: '127.0.0.1', ...limits };
  const one = resources.use(await startTestServer({ database: 'postgres', settings }));
  const two = resources.use(await startTestServer({ database: one.database, settings }));
  const nodes = [one, two] as const;
  const { admin, member } = one.demo;
  return {
    one,
    two,
    admin: { email: admin.email, password: admin.password },
    member: { email: member.email, password: member.password },
    /** In turn by the one and by the other, all at once. */
    all: (attempts: readonly (readonly [fields: SignInFields, address: string])[]) =>
      Promise.all(
        attempts.map(([fields, address], turn) => decided(nodes[turn % 2 === 0 ? 0 : 1], fields, address)),
      ),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const count = (answers: readonly { readonly status: number }[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length;

const times = <T>(length: number, item: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => item(index));

describe('an account under attack', () => {
  test('is guessed at 100 times by 200 guesses at once over two nodes, and its owner gets in from where they did before', async () => {
    await using scene = await serveTwo();
    const { one, two, admin } = scene;
    const home = '2001:db8:0:7::1';
    expect((await attempt(one, admin, home)).status).toBe(200);

    const guess = { ...admin, password: WRONG };
    const answers = await scene.all(times(200, (index) => [guess, `198.51.100.${index}`] as const));
    expect([count(answers, 401), count(answers, 429)]).toEqual([100, 100]);
    for (const node of [one, two]) {
      // By now the right password is no better than a wrong one, from elsewhere.
      const { status, retryAfter } = await attempt(node, admin, '198.51.100.250');
      expect([status, Number(retryAfter) > 0]).toEqual([429, true]);
    }
    expect((await attempt(two, admin, '2001:db8:0:7:ffff::2')).status).toBe(200);
  });

  test('is not reset by an attacker who signs in to an account of their own in between', async () => {
    const limits = { SIGN_IN_ADDRESS_ATTEMPTS: '10', SIGN_IN_ACCOUNT_FAILURES: '8' };
    await using scene = await serveTwo(limits);
    const { one, two, admin, member: attacker } = scene;
    const guesses: number[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const node = turn % 2 === 0 ? one : two;
      // From an address of its own each time: it is the victim's account that counts them.
      guesses.push((await attempt(node, { ...admin, password: WRONG }, `203.0.113.${turn}`)).status);
      expect((await attempt(node, attacker, `203.0.113.${turn}`)).status).toBe(200);
    }
    expect(guesses).toEqual([...times(8, () => 401), ...times(4, () => 429)]);

    // From one address at many accounts: it is the address that counts them.
    const spread: number[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const email = `user-${turn}@acme.example`;
      spread.push((await attempt(one, { email, password: WRONG }, '192.0.2.66')).status);
      const own = (await attempt(two, attacker, '192.0.2.66')).status;
      expect(own).toBe(spread.length < 10 ? 200 : 429);
    }
    expect(spread).toEqual([...times(10, () => 401), ...times(2, () => 429)]);
  });
});

describe('an address', () => {
  const LIMIT = 5;
  const SAME = {
    'six spellings of an IPv6 address': [
      '2001:db8:0:1:0:0:0:1',
      '2001:DB8:0:1::1',
      '2001:0db8:0000:0001:0000:0000:0000:0001',
      '[2001:db8:0:1::1]:4711',
      '2001:db8:0:1::0.0.0.1',
      '2001:db8::1:0:0:0:1',
    ],
    'the addresses of an IPv6 /64': times(6, (index) => `2001:db8:0:2:${index}:${index}::${index}`),
    'IPv4, written as IPv6 or not': [
      '192.0.2.9',
      '::ffff:192.0.2.9',
      '::FFFF:c000:209',
      '[::ffff:192.0.2.9]:80',
      '0:0:0:0:0:ffff:192.0.2.9',
      '192.0.2.9:4711',
    ],
  };

  test('is one for the limits of all nodes together however it is written: six attempts get no further than five', async () => {
    await using scene = await serveTwo({ SIGN_IN_ADDRESS_ATTEMPTS: String(LIMIT) });
    for (const [name, addresses] of Object.entries(SAME)) {
      const attempts = addresses.map(
        (address, index) => [{ email: `user-${index}@acme.example`, password: WRONG }, address] as const,
      );
      const answers = await scene.all(attempts);
      expect([count(answers, 401), count(answers, 429)], name).toEqual([LIMIT, 1]);
    }
    const apart = ['2001:db8:0:3::1', '2001:db8:0:4::1', '192.0.2.10', '192.0.2.11'];
    const answers = await scene.all(
      apart.map((address) => [{ email: 'missing@acme.example', password: WRONG }, address] as const),
    );
    expect(count(answers, 401)).toBe(apart.length);
  });

  test('that is refused is refused without asking the database, however it is written, but once a second', async () => {
    await using scene = await serveTwo({ SIGN_IN_ADDRESS_ATTEMPTS: String(LIMIT) });
    const { one } = scene;
    const signIn = (address: string, index: number) =>
      attempt(one, { email: `user-${index}@acme.example`, password: WRONG }, address);
    for (let index = 0; index <= LIMIT; index += 1) await signIn('2001:db8:0:1::1', index);
    const before = one.statements();
    const since = performance.now();
    const answers = await Promise.all(times(200, (index) => signIn(`2001:db8:0:1::${index}`, index)));
    const seconds = Math.ceil((performance.now() - since) / 1000);
    expect(count(answers, 429)).toBe(200);
    for (const { retryAfter } of answers) expect(Number(retryAfter)).toBeGreaterThan(800);
    // Two statements for each attempt that asks: one counts, one tells until when.
    expect(one.statements() - before).toBeLessThanOrEqual(2 * seconds);
  });

  test('gets no more attempts out of many at once over two nodes than one after the other', async () => {
    await using scene = await serveTwo({ SIGN_IN_ADDRESS_ATTEMPTS: '20' });
    const answers = await scene.all(
      times(80, (index) => [{ email: `user-${index}@acme.example`, password: WRONG }, '192.0.2.1'] as const),
    );
    expect([count(answers, 401), count(answers, 429)]).toEqual([20, 60]);
  });
});
