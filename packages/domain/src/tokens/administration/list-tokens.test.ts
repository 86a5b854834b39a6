import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  allPages,
  createWorldWithAdmins,
  givenToken,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import type { Operator, Principal } from '../../access/index.ts';
import { err } from '../../result.ts';
import { addMilliseconds, LAST_INSTANT } from '../../time/instant.ts';
import type { User } from '../../users/user.ts';
import { type ListTokensInput, listTokens } from './list-tokens.ts';
import type { TokenQuery } from './token-filter.ts';

const DAY = 86_400_000;

describe('a list of tokens', () => {
  let world: World;
  let ada: User;
  let eve: User;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    await givenToken(world, ada, { name: 'ERP' });
    await givenToken(world, ada, { name: 'Scale', expiresAt: addMilliseconds(START, 2 * DAY) });
    await givenToken(world, eve, { name: 'Wiki', expiresAt: addMilliseconds(START, DAY) });
  });

  async function list(caller: Principal | Operator, question: ListTokensInput = {}) {
    const pages = await listTokens(world)(caller, question);
    return pages.ok ? (await allPages(pages.value)).flat().map(({ name }) => name) : pages;
  }

  test('an admin sees the account’s tokens, the operator all, a member none', async () => {
    expect(await list(inPerson(ada))).toEqual(['ERP', 'Scale']);
    expect(await list(OPERATOR)).toEqual(['ERP', 'Scale', 'Wiki']);
    expect(await list({ ...inPerson(ada), role: 'member' })).toEqual(err({ code: 'not_allowed' }));
  });

  test('a creator is given by email, and another account’s user is not found', async () => {
    const unknown = err({ code: 'user_not_found' });
    expect(await list(OPERATOR, { creator: 'EVE@evil.example' })).toEqual(['Wiki']);
    expect(await list(inPerson(ada), { creator: 'eve@evil.example' })).toEqual(unknown);
    expect(await list(OPERATOR, { creator: 'nobody@acme.example' })).toEqual(unknown);
  });

  test('durations are counted from now, and can reach beyond the last instant', async () => {
    const asked = vi.spyOn(world.tokens, 'list');
    expect(await list(OPERATOR, { expiringWithin: 3 * DAY })).toEqual(['Wiki', 'Scale']);
    await list(OPERATOR, { unusedFor: 90 * DAY, expiringWithin: 14 * DAY });
    expect(asked).toHaveBeenLastCalledWith(
      expect.objectContaining({
        now: START,
        unusedSince: addMilliseconds(START, -90 * DAY),
        expiringBefore: addMilliseconds(START, 14 * DAY),
      }),
    );
    await list(OPERATOR, { unusedFor: 2 ** 53 - 1, expiringWithin: 2 ** 53 - 1 });
    expect(asked).toHaveBeenLastCalledWith(
      expect.objectContaining({ unusedSince: 0, expiringBefore: LAST_INSTANT }),
    );
  });

  test('all pages refer to the same time, and each follows the last token of the previous one', async () => {
    const [entry] = await world.tokens.list({ now: START, limit: 1 });
    const queries: TokenQuery[] = [];
    const tokens = {
      ...world.tokens,
      list: async (query: TokenQuery) => {
        queries.push(query);
        world.clock.advance(1000);
        return entry && queries.length < 3 ? Array(query.limit).fill(entry) : [];
      },
    };
    const pages = unwrap(await listTokens({ ...world, tokens })(OPERATOR, { expiringWithin: DAY }));
    const listed = (await allPages(pages)).flat();
    expect(new Set(listed.map(({ at }) => at))).toEqual(new Set([START]));
    expect(queries).toMatchObject([
      { now: START, expiringBefore: addMilliseconds(START, DAY), after: undefined },
      { now: START, expiringBefore: addMilliseconds(START, DAY), after: entry },
      { now: START, expiringBefore: addMilliseconds(START, DAY), after: entry },
    ]);
  });
});
