import { UnavailableFault } from '@gatehouse/domain';
import type { Principal } from '@gatehouse/domain/access';
import { expect, test } from 'vitest';
import { inPageTurns } from './page-turns.ts';
import type { PageUseCases } from './pages/page-use-cases.ts';

// Turns look at nothing of a caller but the user's id.
const [ADA, BEN] = [1, 2].map((userId) => ({ kind: 'user', userId })) as unknown as readonly [
  Principal,
  Principal,
];

/** Calls of pages that last until the test ends them. */
function openCalls(connections: number) {
  const begun: Principal[] = [];
  const ends: (() => void)[] = [];
  const listOwnSessions = async (caller: Principal) => {
    begun.push(caller);
    await new Promise<void>((resolve) => ends.push(resolve));
    return { ok: true, value: [] } as const;
  };
  async function* events(caller: Principal) {
    await listOwnSessions(caller);
    yield [];
  }
  const listAccountAuditEvents = async (caller: Principal) => ({ ok: true, value: events(caller) });
  // The others are not called.
  const pages = { listOwnSessions, listAccountAuditEvents } as unknown as PageUseCases;
  const endNext = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { useCases: inPageTurns(pages, connections), begun, endNext };
}

test.each([
  [10, 3, 2],
  [2, 1, 1],
])('of %i connections, pages use %i, and those of one user %i', (connections, used, usedByOne) => {
  const { useCases, begun } = openCalls(connections);
  for (let call = 0; call < 20; call += 1) void useCases.listOwnSessions(ADA);
  expect(begun.length).toBe(usedByOne);
  for (let call = 0; call < 20; call += 1) void useCases.listOwnSessions(BEN);
  expect(begun.length).toBe(used);
});

test('users take turns, and what one asks beyond a number that no person clicks is refused at once', async () => {
  const { useCases, begun, endNext } = openCalls(3);
  for (let call = 0; call < 65; call += 1) void useCases.listOwnSessions(ADA);
  await expect(useCases.listOwnSessions(ADA)).rejects.toThrow(UnavailableFault);
  void useCases.listOwnSessions(BEN);
  await endNext();
  await endNext();
  expect(begun).toEqual([ADA, ADA, BEN]);
});

test('the pages of a list are read in turn, too', async () => {
  const { useCases, begun, endNext } = openCalls(3);
  const listed = await useCases.listAccountAuditEvents(ADA, { limit: 1 });
  void useCases.listOwnSessions(BEN);
  const page = listed.ok ? listed.value.next() : undefined;
  await new Promise(setImmediate);
  expect(begun).toEqual([BEN]);
  await endNext();
  expect(begun).toEqual([BEN, ADA]);
  await endNext();
  expect(await page).toEqual({ done: false, value: [] });
});
