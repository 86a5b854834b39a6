import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { newSigningKey, sign } from '../testing/hostile-provider.ts';
import { openHostileScene } from '../testing/hostile-scene.ts';
import { DEFAULT_LIMITS } from './settings.ts';

const DISCOVERY = '/.well-known/openid-configuration';
const UNREACHABLE = { ok: false, error: { reason: 'provider_unreachable' } };

/** A sign-in that is refused at a limit of 100 or 200 ms, on a machine that may be busy. */
async function expectInTime(signIn: Promise<unknown>): Promise<void> {
  const begun = performance.now();
  expect(await signIn).toMatchObject(UNREACHABLE);
  expect(performance.now() - begun).toBeLessThan(1500);
}

/** Never answers. */
const silence = () => undefined;

test('no provider is contacted before a user signs in', async () => {
  const fetching = vi.spyOn(globalThis, 'fetch');
  const { providers } = await openHostileScene();
  expect(providers.all).toHaveLength(1);
  expect(fetching).not.toHaveBeenCalled();
});

test('the discovery document and the keys are remembered, and read again when they are old', async () => {
  const { hostile, monotonicClock, signIn } = await openHostileScene();
  const requestsOf = async () => {
    hostile.requests.length = 0;
    expect(await signIn()).toMatchObject({ ok: true });
    return [...hostile.requests];
  };
  expect(await requestsOf()).toEqual([DISCOVERY, '/token', '/keys']);
  monotonicClock.advance(DEFAULT_LIMITS.keysAgeMs - 1);
  expect(await requestsOf()).toEqual(['/token']);
  monotonicClock.advance(1);
  expect(await requestsOf()).toEqual(['/token', '/keys']);
  monotonicClock.advance(DEFAULT_LIMITS.discoveryAgeMs);
  expect(await requestsOf()).toEqual([DISCOVERY, '/token', '/keys']);
});

test('people who sign in at the same time share the reads', async () => {
  const { hostile, signIn } = await openHostileScene();
  expect(await Promise.all([signIn(), signIn(), signIn()])).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ ok: true })),
  );
  expect(hostile.requests.filter((path) => path !== '/token').toSorted()).toEqual([DISCOVERY, '/keys']);
});

test.each(['discovery', 'token', 'keys', 'userInfo'] as const)(
  'a provider whose part %s is silent holds a sign-in no longer than the limit, and then not at all',
  async (part) => {
    const { hostile, begin, signIn, monotonicClock } = await openHostileScene({
      limits: { readMs: 100, beginMs: 200, redeemMs: 200 },
    });
    hostile.behave({ [part]: silence, claims: { email: undefined } });
    await expectInTime(signIn());
    hostile.requests.length = 0;
    expect(await signIn()).toMatchObject(UNREACHABLE);
    expect(hostile.requests).toEqual([]);
    hostile.behave({});
    monotonicClock.advance(DEFAULT_LIMITS.pauseMs);
    expect(await begin()).toMatchObject({ ok: true });
    expect(await signIn()).toMatchObject({ ok: true });
  },
);

test('an answer that arrives byte by byte ends at the limit', async () => {
  const { signInWith } = await openHostileScene({ limits: { readMs: 100 } });
  const trickle = vi.fn((_: unknown, response: ServerResponse) => {
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  });
  await expectInTime(signInWith({ discovery: trickle }));
  expect(trickle).toHaveBeenCalledOnce();
});

test('few exchanges go on at the same time, the others wait, and too many are refused at once', async () => {
  const { hostile, signIn, begin } = await openHostileScene({ limits: { concurrency: 2, waiting: 3 } });
  await begin();
  const held: ServerResponse[] = [];
  hostile.behave({ token: (_, response) => void held.push(response) });
  const signIns = Array.from({ length: 6 }, () => signIn());
  await vi.waitFor(() => expect(held).toHaveLength(2));
  expect(await Promise.race(signIns)).toMatchObject({
    error: {
      reason: 'provider_unreachable',
      detail: 'too many exchanges with the provider are under way',
    },
  });
  for (let answered = 0; answered < 5; answered += 1) {
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(0));
    expect(held.length).toBeLessThanOrEqual(2);
    held.shift()?.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  }
  const ends = (await Promise.all(signIns)).map((end) => (end.ok ? 'ok' : end.error.reason));
  expect(ends.toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => 'code_not_accepted'),
    'provider_unreachable',
  ]);
});

test('a flood of log-out tokens takes no place of a sign-in', async () => {
  const { hostile, signIn, readLogOut, monotonicClock } = await openHostileScene({
    limits: { concurrency: 2, waiting: 3 },
  });
  await signIn();
  monotonicClock.advance(DEFAULT_LIMITS.freshKeysMs);
  const held: ServerResponse[] = [];
  hostile.behave({ keys: (_, response) => void held.push(response) });
  const token = await sign({ iss: hostile.issuer }, await newSigningKey(), { kid: 'unknown' });
  const logOuts = Array.from({ length: 50 }, () => readLogOut(token));
  await vi.waitFor(() => expect(held).toHaveLength(1));
  expect(await signIn()).toMatchObject({ ok: true });
  held[0]?.writeHead(404).end();
  for (const end of await Promise.all(logOuts)) expect(end.ok).toBe(false);
});

test('an error with which the browser comes back makes no other user wait', async () => {
  const { signIn } = await openHostileScene();
  const refused = await signIn(undefined, (query) => query.set('error', 'temporarily_unavailable'));
  expect(refused).toMatchObject(UNREACHABLE);
  expect(await signIn()).toMatchObject({ ok: true });
});

test('a redirect is not followed', async () => {
  const { hostile, signInWith } = await openHostileScene();
  await signInWith({
    token: (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  });
  expect(hostile.requests).not.toContain('/elsewhere');
});
