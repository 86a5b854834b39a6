import { Writable } from 'node:stream';
import { givenToken, START } from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { givenAda } from '../../../testing/ada.ts';

const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);

/** A token of Ada's, and a watching command whose output can be read while it runs. */
async function watching(...args: readonly string[]) {
  const given = await givenAda();
  const token = await givenToken(given.store, given.ada, { name: 'ERP' });
  const listening = Promise.withResolvers<void>();
  const { usageFeed } = given.store;
  const { watchTokens } = given.gatehouse;
  Object.assign(given.gatehouse, {
    watchTokens: async (...input: Parameters<typeof watchTokens>) => {
      const watched = await watchTokens(...input);
      listening.resolve();
      return watched;
    },
  });
  const interrupt = new AbortController();
  let output = '';
  let changed = Promise.withResolvers<void>();
  const stdout = new Writable({
    write(chunk, _, done) {
      output += chunk;
      changed.resolve();
      done();
    },
  });
  const ended = given.run(['token', 'watch', ...args], { stdout, signal: interrupt.signal });
  await Promise.race([listening.promise, ended]);
  return {
    ...given,
    usageFeed,
    token,
    ended,
    interrupt,
    /** Resolves with the output once it has this many lines. */
    async lines(count: number): Promise<readonly string[]> {
      while (output.split('\n').length <= count) {
        await changed.promise;
        changed = Promise.withResolvers();
      }
      return output.split('\n').slice(0, -1);
    },
  };
}

test('a line for each token and time of storing has its uses and refusals with reasons', async () => {
  const { store, token, ended, interrupt, lines, openCount } = await watching();
  store.usage.used(token.id, at(1));
  await store.usage.flush();
  await lines(1);
  for (let i = 0; i < 12; i += 1) store.usage.used(token.id, at(2));
  store.usage.refused(token.id, at(2), 'revoked');
  for (const reason of ['insufficient_scope', 'insufficient_scope'] as const) {
    store.usage.refused(token.id, at(3), reason);
  }
  await store.usage.flush();
  await lines(2);
  store.usage.refused(token.id, at(4), 'expired');
  await store.usage.flush();
  const head = (second: number) => `2026-01-01T00:00:0${second}Z  ERP (${token.id})  ada@acme.example  `;
  expect(await lines(3)).toEqual([
    `${head(1)}1 use`,
    `${head(3)}12 uses, 3 refused: insufficient_scope 2, revoked 1`,
    `${head(4)}0 uses, 1 refused: expired 1`,
  ]);
  interrupt.abort();
  expect(await ended).toMatchObject({ status: 130, stderr: 'Watching. Press Ctrl-C to stop.\n' });
  expect(openCount()).toBe(0);
});

test('control characters in a name are not printed', async () => {
  const { store, ada, ended, interrupt, lines } = await watching();
  const token = await givenToken(store, ada, { name: 'red \u001b[31m' });
  store.usage.used(token.id, at(1));
  await store.usage.flush();
  expect((await lines(1))[0]).toContain('red \ufffd[31m (');
  interrupt.abort();
  await ended;
});

test('a lost feed ends it with 1 and a message', async () => {
  const { usageFeed, ended, openCount } = await watching();
  usageFeed.lose();
  expect(await ended).toMatchObject({ status: 1, stderr: expect.stringMatching(/error: .*lost/) });
  expect(openCount()).toBe(0);
});
