import type { AccountId } from '@gatehouse/domain/accounts';
import type { GuardFacts } from '@gatehouse/domain/guards';
import { START } from '@gatehouse/domain/testing';
import type { UserId } from '@gatehouse/domain/users';
import { defineRefusals, type Guard, type Refusal } from '@gatehouse/extension-kit';
import { expect, test, vi } from 'vitest';
import { createGuards } from './guards.ts';

const REFUSALS = defineRefusals({
  too_short: { status: 422, title: 'The name is too short.', exit: 'conflict' },
});
const FACTS: GuardFacts = {
  accountId: 1 as AccountId,
  by: { user: null, operator: true },
  at: START,
};
const REQUEST = { name: 'x', description: null };
const SHIFTS = 'shifts';

/** A guard of new organizations. */
const guard = (check: () => Promise<Refusal | undefined> | Refusal | undefined): Guard => ({
  on: 'organization.create',
  refusals: [REFUSALS.too_short],
  check,
});
const forbid = guard(() => REFUSALS.too_short);
const allow = guard(async () => undefined);

/** Asks the guards of two extensions about a new organization. */
async function ask(first: readonly Guard[], second: readonly Guard[] = []) {
  const report = vi.fn();
  const passed = Promise.withResolvers<never>();
  const guards = createGuards(
    [{ name: SHIFTS, guards: first }, { name: 'without' }, { name: 'gauges', guards: second }],
    { report, deadline: () => passed.promise },
  );
  const asking = guards.check('organization.create', REQUEST, FACTS);
  const pass = () => passed.reject(new Error('late'));
  return { asking, pass, reported: () => report.mock.calls };
}

test('an action is allowed if no guard forbids it', async () => {
  const { asking, reported } = await ask([allow, allow], [allow]);
  expect(await asking).toMatchObject({ ok: true });
  expect(reported()).toEqual([]);
});

test('the first refusal counts, with the extension, and no later guard is asked', async () => {
  const later = vi.fn();
  const { asking } = await ask([allow, forbid], [guard(later)]);
  expect(await asking).toEqual({
    ok: false,
    error: {
      code: 'forbidden_by_extension',
      extension: SHIFTS,
      refusal: 'too_short',
      title: 'The name is too short.',
    },
  });
  expect(later).not.toHaveBeenCalled();
});

test('a guard gets the request and the facts, and only of its own action', async () => {
  const check = vi.fn(() => undefined);
  const other = vi.fn(() => REFUSALS.too_short);
  const { asking } = await ask([
    guard(check),
    { on: 'token.create', refusals: [REFUSALS.too_short], check: other },
  ]);
  expect(await asking).toMatchObject({ ok: true });
  expect(check).toHaveBeenCalledExactlyOnceWith(REQUEST, FACTS);
  expect(other).not.toHaveBeenCalled();
});

const OTHER = { code: 'gone', status: 404, title: 'Gone.', exit: 'notFound' } as const;

test.each<[string, Parameters<typeof guard>[0], unknown]>([
  ['throws', () => expect.fail('broken'), expect.objectContaining({ message: 'broken' })],
  ['rejects', () => Promise.reject(new Error('broken')), expect.objectContaining({ message: 'broken' })],
  ['forbids by a refusal that it does not name', () => OTHER, expect.any(TypeError)],
])('a guard that %s decides nothing: the action is refused, and the reason reported', async (...given) => {
  const [, check, reason] = given;
  const { asking, reported } = await ask([guard(check)]);
  expect(await asking).toEqual({ ok: false, error: { code: 'extension_undecided', extension: SHIFTS } });
  expect(reported()).toEqual([[SHIFTS, 'organization.create', reason]]);
});

test('a guard that does not answer in time decides nothing', async () => {
  const never = new Promise<undefined>(() => undefined);
  const { asking, pass, reported } = await ask([guard(() => never)]);
  pass();
  expect(await asking).toMatchObject({ error: { code: 'extension_undecided', extension: SHIFTS } });
  expect(reported()).toEqual([[SHIFTS, 'organization.create', expect.objectContaining({ message: 'late' })]]);
});

test('a guard can change neither the request nor what later guards get', async () => {
  const request = { name: 'ERP', scopes: ['orgs:read'], expiresAt: null, networks: null, replaces: null };
  const asked = { ...request, owner: { id: 1 as UserId, kind: 'person' } } as const;
  const widen: Guard = {
    on: 'token.create',
    refusals: [],
    check: ({ scopes }) => void (scopes as string[]).push('*'),
  };
  const pretend: Guard = {
    on: 'token.create',
    refusals: [],
    check: (_, { by }) => void Object.assign(by, { operator: false }),
  };
  for (const each of [widen, pretend]) {
    const guards = createGuards([{ name: SHIFTS, guards: [each] }], { report: () => undefined });
    expect(await guards.check('token.create', asked, FACTS)).toMatchObject({
      error: { code: 'extension_undecided' },
    });
  }
  expect(asked.scopes).toEqual(['orgs:read']);
  expect(FACTS.by.operator).toBe(true);
});
