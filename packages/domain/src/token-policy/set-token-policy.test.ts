import { beforeEach, describe, expect, test } from 'vitest';
import { allPages } from '../../testing/all-pages.ts';
import {
  aService,
  createWorldWithAdmins,
  givenService,
  givenToken,
  givenUser,
  inPerson,
  OPERATOR,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err } from '../result.ts';
import type { User } from '../users/user.ts';
import { applyTokenPolicy } from './apply-token-policy.ts';
import type { RuleChanges } from './change-token-rules.ts';
import { setTokenFloor } from './set-token-floor.ts';
import { setTokenPolicy } from './set-token-policy.ts';
import { showTokenFloor, showTokenPolicy } from './show-token-policy.ts';
import { INITIAL_TOKEN_POLICY } from './token-policy.ts';

const DAY = 86_400_000;

describe('the rules of an account', () => {
  let world: World;
  let ada: User;
  let eve: User;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
  });

  const set = (person: RuleChanges, by: User = ada) =>
    setTokenPolicy(world)(inPerson(by), { accountId: ada.accountId, changes: { person } });
  const invalid = (field: string) => ({ ok: false, error: { code: 'invalid_input', problems: [{ field }] } });
  const newest = async () => (await world.audit.list({ limit: 1 }))[0]?.event;

  test('are changed for one kind of holder, and what is not given stays', async () => {
    const changed = await set({ maxLifetimeMs: 30 * DAY, scopes: ['orgs:read', 'me:read'] });
    const person = {
      mustExpire: true,
      maxLifetimeMs: 30 * DAY,
      scopes: ['me:read', 'orgs:read'],
      defaultLifetimeMs: 30 * DAY,
    };
    expect(changed).toMatchObject({ value: { after: { ...INITIAL_TOKEN_POLICY, person } } });
    expect(await newest()).toMatchObject({
      action: 'account.policy_set',
      actor: { kind: 'user', id: ada.id },
      accountId: ada.accountId,
      details: {
        person_must_expire: true,
        former_person_must_expire: false,
        person_max_lifetime: '30d',
        former_person_max_lifetime: null,
        person_scopes: ['me:read', 'orgs:read'],
        former_person_scopes: null,
        person_default_lifetime: '30d',
        former_person_default_lifetime: '90d',
      },
    });
    const loosened = await set({ maxLifetimeMs: null, mustExpire: false });
    expect(loosened).toMatchObject({
      value: { after: { person: { ...person, mustExpire: false, maxLifetimeMs: null } } },
    });
    const before = await newest();
    expect(unwrap(await set({ scopes: ['orgs:read', 'me:read'] }))).toSatisfy(
      (update: { before: unknown; after: unknown }) => update.before === update.after,
    );
    expect(await newest()).toEqual(before);
  });

  test.each<[string, string, RuleChanges]>([
    ['a longest lifetime below an hour', 'max_lifetime', { maxLifetimeMs: 3_599_000 }],
    ['one over 100 years', 'max_lifetime', { maxLifetimeMs: 36_501 * DAY }],
    ['one with a fraction of a second', 'max_lifetime', { maxLifetimeMs: DAY + 1 }],
    ['tokens that never expire beside one', 'must_expire', { maxLifetimeMs: DAY, mustExpire: false }],
    ['a longer default', 'default_lifetime', { maxLifetimeMs: DAY, defaultLifetimeMs: 2 * DAY }],
    ['a default of never', 'default_lifetime', { mustExpire: true, defaultLifetimeMs: null }],
    ['a default of a minute', 'default_lifetime', { defaultLifetimeMs: 60_000 }],
    ['no scope', 'scope', { scopes: [] }],
    ['an unknown scope', 'scope', { scopes: ['orgs:write'] }],
  ])('%s is refused, with the field %s', async (_, field, changes) => {
    const before = await newest();
    expect(await set(changes)).toMatchObject(invalid(field));
    expect(await newest()).toEqual(before);
  });

  test('`*` allows each scope of the API, and the scopes of services only if they are given', async () => {
    await givenService(world, aService());
    const changed = unwrap(await set({ scopes: ['*'] }));
    expect(changed.after.person.scopes).toEqual(['*', 'me:read', 'orgs:read']);
  });

  test('are shown to the account’s admins and to operators, and set by them only', async () => {
    const { accountId } = ada;
    const unknown = err({ code: 'account_not_found' });
    const show = (by: User) => showTokenPolicy(world)(inPerson(by), accountId);
    expect(await show(ada)).toMatchObject({ value: { own: INITIAL_TOKEN_POLICY } });
    expect(await show(eve)).toEqual(unknown);
    expect(await set({ mustExpire: true }, eve)).toEqual(unknown);
    const member = await givenUser(world, accountId, { role: 'member' });
    const refused = err({ code: 'not_allowed' });
    expect(await show(member)).toEqual(refused);
    expect(await set({ mustExpire: true }, member)).toEqual(refused);
    expect(await setTokenFloor(world)(inPerson(ada), {})).toEqual(refused);
    expect(await showTokenFloor(world)(inPerson(ada))).toEqual(refused);
    const input = { accountId, changes: { person: { mustExpire: true } } };
    expect(await setTokenPolicy(world)(OPERATOR, input)).toMatchObject({ ok: true });
  });

  test('the floor is set by the operator, and told in the audit log of no account', async () => {
    const changed = await setTokenFloor(world)(OPERATOR, { person: { maxLifetimeMs: DAY } });
    expect(changed).toMatchObject({ value: { after: { person: { mustExpire: true, maxLifetimeMs: DAY } } } });
    expect(await newest()).toMatchObject({
      action: 'floor.set',
      accountId: null,
      details: { person_max_lifetime: '1d', former_person_max_lifetime: null },
    });
    expect(unwrap(await showTokenFloor(world)(OPERATOR)).person.maxLifetimeMs).toBe(DAY);
  });

  test('shorten tokens that exist only when they are applied, each with an event', async () => {
    const token = await givenToken(world, ada);
    const wide = await givenToken(world, ada, { expiresAt: (world.clock.now() + DAY) as never });
    const foreign = await givenToken(world, eve);
    await set({ maxLifetimeMs: DAY, scopes: ['me:read'] });
    expect((await world.tokens.findRecord(token.id))?.expiresAt).toBeNull();
    const apply = async (isDryRun: boolean, by = inPerson(ada)) => {
      const pages = unwrap(await applyTokenPolicy(world)(by, { isDryRun }));
      return (await allPages(pages)).flat().map(({ token: { id } }) => id);
    };
    expect(await apply(true)).toEqual([token.id]);
    expect((await world.tokens.findRecord(token.id))?.expiresAt).toBeNull();
    expect(await apply(false, inPerson(eve))).toEqual([]);
    expect(await apply(false)).toEqual([token.id]);
    const expiresAt = world.clock.now() + DAY;
    expect(await world.tokens.findRecord(token.id)).toMatchObject({ expiresAt });
    expect(await newest()).toMatchObject({
      action: 'token.updated',
      subject: { id: token.id },
      details: { former_expires_at: null, reason: 'the rules of the account' },
    });
    expect(await apply(false)).toEqual([]);
    for (const { id } of [wide, foreign])
      expect(await world.tokens.findRecord(id)).toMatchObject({ revocation: null });
    expect((await world.tokens.findRecord(foreign.id))?.expiresAt).toBeNull();
    const other = { accountId: eve.accountId, isDryRun: true };
    expect(await applyTokenPolicy(world)(inPerson(ada), other)).toEqual(err({ code: 'account_not_found' }));
  });

  test('are applied to all accounts by the operator, in steps of 100 tokens', async () => {
    for (let made = 0; made < 101; made += 1) await givenToken(world, ada);
    await givenToken(world, eve);
    await setTokenFloor(world)(OPERATOR, { person: { maxLifetimeMs: DAY } });
    for (const isDryRun of [true, false]) {
      const pages = unwrap(await applyTokenPolicy(world)(OPERATOR, { isDryRun }));
      const sizes: number[] = [];
      for await (const page of pages) sizes.push(page.length);
      expect(sizes.toSorted((a, b) => b - a)).toEqual([100, 1, 1]);
    }
  });
});
