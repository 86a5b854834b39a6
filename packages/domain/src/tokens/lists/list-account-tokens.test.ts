import { beforeEach, describe, expect, test } from 'vitest';
import {
  createWorldWithAdmins,
  givenToken,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import { addMilliseconds } from '../../time/instant.ts';
import type { User } from '../../users/user.ts';
import {
  findTokensNeedingAttention,
  type ListAccountTokensInput,
  listAccountTokens,
} from './list-account-tokens.ts';

const DAY = 86_400_000;

let world: World;
let ada: User;
let eve: User;

beforeEach(async () => {
  ({ world, ada, eve } = await createWorldWithAdmins());
});

const list = async (input?: ListAccountTokensInput) =>
  unwrap(await listAccountTokens(world)(inPerson(ada), input));
const names = ({ tokens }: Awaited<ReturnType<typeof list>>) => tokens.map(({ name }) => name);

async function giveTokens(count: number) {
  for (let index = 1; index <= count; index += 1) await givenToken(world, ada, { name: `T${index}` });
}

describe('pages of an account’s tokens', () => {
  test('are of the caller’s account, for admins only', async () => {
    await givenToken(world, ada, { name: 'ERP' });
    await givenToken(world, eve, { name: 'Wiki' });
    expect(names(await list())).toEqual(['ERP']);
    expect(names(await list({ creator: 'eve@evil.example' }))).toEqual([]);
    for (const useCase of [listAccountTokens(world), findTokensNeedingAttention(world)]) {
      expect(await useCase({ ...inPerson(ada), role: 'member' })).toEqual(err({ code: 'not_allowed' }));
      expect(await useCase(OPERATOR)).toEqual(err({ code: 'not_allowed' }));
    }
  });

  test('are searched for by words, in the caller’s account only', async () => {
    await givenToken(world, ada, { name: 'Door badges' });
    const { id } = await givenToken(world, eve, { name: 'Badges of Eve' });
    for (const search of ['badges', 'ADA ex', 'Badg do'])
      expect(names(await list({ search }))).toEqual(['Door badges']);
    for (const search of ['eve', 'badges of', 'evil', id]) {
      const page = await list({ search });
      expect([names(page), page.total], search).toEqual([[], { count: 0, more: false }]);
    }
  });

  test('have fifty tokens, and lead forward and back', async () => {
    await giveTokens(120);
    const first = await list();
    expect(names(first)).toHaveLength(50);
    expect(names(first)[0]).toBe('T120');
    expect(first.previous).toBeUndefined();
    const second = await list({ cursor: first.next });
    const third = await list({ cursor: second.next });
    expect(names(third)).toHaveLength(20);
    expect(third.next).toBeUndefined();
    expect(names(await list({ cursor: third.previous }))).toEqual(names(second));
    const again = await list({ cursor: second.previous });
    expect(names(again)).toEqual(names(first));
    expect(again.previous).toBeUndefined();
    expect(again.next).toEqual(first.next);
  });

  test('are the first page where a cursor is beyond the list', async () => {
    await giveTokens(3);
    const { tokens } = await list();
    const last = tokens.at(-1);
    expect(
      names(await list({ cursor: { after: { value: '', id: last?.id ?? (ada.id as never) } } })),
    ).toEqual(['T3', 'T2', 'T1']);
  });

  test('count up to a thousand', async () => {
    await giveTokens(1000);
    expect(await list({ search: 't' })).toMatchObject({
      total: { count: 1000, more: false },
      counts: { active: { count: 1000, more: false }, ended: { count: 0, more: false } },
    });
    await givenToken(world, ada, { name: 'T' });
    const more = { count: 1000, more: true };
    expect(await list({ search: '' })).toMatchObject({ total: more, counts: { active: more } });
    expect(await list({ search: 'T1000' })).toMatchObject({
      total: { count: 1, more: false },
      counts: { active: more },
    });
  });

  test('select by durations from now, by the creator’s email, and tell states', async () => {
    await givenToken(world, ada, { name: 'soon', expiresAt: addMilliseconds(START, 13 * DAY) });
    await givenToken(world, ada, { name: 'later', expiresAt: addMilliseconds(START, 15 * DAY) });
    expect(names(await list({ expiringWithin: 14 * DAY }))).toEqual(['soon']);
    expect(names(await list({ unusedFor: DAY }))).toEqual([]);
    world.clock.advance(14 * DAY);
    expect(names(await list({ unusedFor: DAY, creator: 'ADA@acme.example' }))).toEqual(['later']);
    expect((await list({ section: 'ended' })).tokens).toMatchObject([{ name: 'soon', state: 'expired' }]);
  });
});

test('tokens need attention that expire within 14 days, or were unused for 90', async () => {
  const give = (name: string, expiresIn: number | null) =>
    givenToken(world, ada, {
      name,
      expiresAt: expiresIn === null ? null : addMilliseconds(START, expiresIn * DAY),
    });
  await give('soon', 103);
  await give('later', 104.5);
  const { id } = await give('used', null);
  world.usage.used(id, addMilliseconds(START, DAY));
  await world.usage.flush();
  const find = async () => unwrap(await findTokensNeedingAttention(world)(inPerson(ada)));
  const none = { count: 0, more: false, first: [] };
  expect(await find()).toEqual({
    expiring: none,
    unused: none,
    refusedSinceUse: none,
    overPolicy: none,
    creatorInactive: none,
  });
  world.clock.advance(90.5 * DAY);
  expect(await find()).toMatchObject({
    expiring: { count: 1, more: false, first: [{ name: 'soon' }] },
    unused: { count: 2, more: false, first: [{ name: 'soon' }, { name: 'later' }] },
  });
});

test('tokens that need attention are counted up to a hundred', async () => {
  await giveTokens(100);
  world.clock.advance(91 * DAY);
  const unused = async () => unwrap(await findTokensNeedingAttention(world)(inPerson(ada))).unused;
  expect(await unused()).toMatchObject({ count: 100, more: false });
  await givenToken(world, ada, { name: 'one more' });
  world.clock.advance(91 * DAY);
  expect(await unused()).toMatchObject({ count: 100, more: true });
});
