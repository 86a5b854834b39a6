import { setTimeout as delay } from 'node:timers/promises';
import { authenticateToken, getOrganization, UnavailableFault } from '@gatehouse/domain';
import { describe, expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { apiToken, populate } from '../../testing/population.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import { inTime } from './in-time.ts';

describe('an answer', () => {
  it('that comes in time is what it is', async () => {
    expect(await inTime(Promise.resolve(7))).toBe(7);
    await expect(inTime(Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  });

  it('that does not come is a fault that may pass', async () => {
    await expect(inTime(new Promise(() => undefined), 10)).rejects.toBeInstanceOf(UnavailableFault);
  });

  it('that fails when nobody waits for it any more disturbs nobody', async () => {
    const late = Promise.withResolvers<never>();
    await expect(inTime(late.promise, 10)).rejects.toBeInstanceOf(UnavailableFault);
    late.reject(new Error('too late'));
  });

  it('that waits behind a pause of the process is not given up', async () => {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<string>((resolve) => port1.once('message', resolve));
    // From here the event loop comes to its timers before it reads.
    await new Promise(setImmediate);
    const answering = inTime(answer, 10);
    const until = performance.now() + 30;
    while (performance.now() < until);
    port2.postMessage('there');
    await expect(answering).resolves.toBe('there');
    port1.close();
  });

  it('that takes several reads is not waited for as long as all of them may take', async () => {
    await using served = await serveWorld({
      replace: (world) => ({
        authenticateToken: slowly(authenticateToken(world)),
        getOrganization: slowly(getOrganization(world)),
      }),
    });
    const { admin } = await populate(served.world);
    const { secret: token } = await apiToken(served.world, admin);
    const { status, headers, json } = await call(served.url, '/api/v1/orgs/1', { token });
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(json).toMatchObject({ type: 'urn:gatehouse:problem:unavailable' });
    expect((await call(served.url, '/api/v1/me.json', { token })).status).toBe(200);
  });
});

/** Not so slow that one alone would take too long. */
function slowly<Args extends readonly unknown[], T>(read: (...args: Args) => Promise<T>) {
  return async (...args: Args) => {
    await delay(600);
    return read(...args);
  };
}
