import { AsyncLocalStorage } from 'node:async_hooks';
import { ok } from '@gatehouse/domain';
import type { Caller, Principal } from '@gatehouse/domain/access';
import { afterEach, expect, test } from 'vitest';
import { inPageLane } from './in-page-lane.ts';

const lane = new AsyncLocalStorage<number>();

// Lanes look at nothing of a caller but the user's id.
const [ADA, BEN] = [1, 2].map((userId) => ({ kind: 'user', userId })) as unknown as readonly [
  Principal,
  Principal,
];
const OPERATOR = { kind: 'operator', name: 'root', origin: 'test' } as const;

/** Whose lane statements waited in. */
const askedIn: (number | undefined)[] = [];
const ask = async () => void askedIn.push(lane.getStore());
afterEach(() => void askedIn.splice(0));

async function* inPages() {
  for (const page of [['first'], ['second']]) {
    await ask();
    yield page;
  }
}

/** Two use cases with a caller, and two without. */
const USE_CASES = {
  listOwnSessions: async (_: Caller, input: string) => {
    await ask();
    return ok(input);
  },
  listAccountAuditEvents: async (_: Caller) => ok(inPages()),
  findSession: async (secret: string) => {
    await ask();
    return secret;
  },
  confirmPassword: async (_: Caller) => ask(),
};
const useCases = inPageLane(USE_CASES, (user, work) => lane.run(user, work));

test('what a page asks for a user waits in the lane of pages, by user', async () => {
  expect(await useCases.listOwnSessions(ADA, 'input')).toEqual(ok('input'));
  await useCases.listOwnSessions(BEN, 'input');
  expect(askedIn).toEqual([ADA.userId, BEN.userId]);
});

test('so does each page of a list, and what is asked between them does not', async () => {
  const listed = await useCases.listAccountAuditEvents(ADA);
  const pages: unknown[] = [];
  for await (const page of listed.ok ? listed.value : []) {
    pages.push(page);
    await ask();
  }
  expect(pages).toEqual([['first'], ['second']]);
  expect(askedIn).toEqual([ADA.userId, undefined, ADA.userId, undefined]);
});

test('what has no user, or waits for its turn at hashing, does not', async () => {
  await useCases.findSession('secret');
  await useCases.listOwnSessions(OPERATOR, 'input');
  await useCases.confirmPassword(ADA);
  expect(askedIn).toEqual([undefined, undefined, undefined]);
});
