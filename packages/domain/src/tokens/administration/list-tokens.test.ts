import { beforeEach, describe, expect, test } from 'vitest';
import {
  createWorld,
  givenAccount,
  givenPerson,
  givenToken,
  inPerson,
  OPERATOR,
  START,
  type World,
} from '../../../testing/index.ts';
import type { Operator, Principal } from '../../access/caller.ts';
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
    world = await createWorld();
    const person = async (email: string) =>
      givenPerson(world, { accountId: (await givenAccount(world)).id, email });
    [ada, eve] = [await person('ada@acme.example'), await person('eve@evil.example')];
    await givenToken(world, ada, { name: 'ERP' });
    await givenToken(world, ada, { name: 'Scale', expiresAt: addMilliseconds(START, 2 * DAY) });
    await givenToken(world, eve, { name: 'Wiki', expiresAt: addMilliseconds(START, DAY) });
  });

  async function list(caller: Principal | Operator, question: ListTokensInput = {}) {
    const pages = await listTokens(world)(caller, question);
    if (!pages.ok) return pages;
    const names: string[] = [];
    for await (const page of pages.value) names.push(...page.map((token) => token.name));
    return names;
  }

  /** The queries that the repository gets. */
  async function asked(question: ListTokensInput): Promise<TokenQuery | undefined> {
    const queries: TokenQuery[] = [];
    const tokens = {
      ...world.tokens,
      list: async (query: TokenQuery) => {
        queries.push(query);
        return [];
      },
    };
    const pages = await listTokens({ ...world, tokens })(OPERATOR, question);
    if (pages.ok) for await (const _ of pages.value) expect.unreachable();
    return queries[0];
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
    expect(await asked({ unusedFor: 90 * DAY, expiringWithin: 14 * DAY })).toMatchObject({
      now: START,
      unusedSince: addMilliseconds(START, -90 * DAY),
      expiringBefore: addMilliseconds(START, 14 * DAY),
    });
    expect(await asked({ unusedFor: 2 ** 53 - 1, expiringWithin: 2 ** 53 - 1 })).toMatchObject({
      unusedSince: 0,
      expiringBefore: LAST_INSTANT,
    });
    expect(await list(OPERATOR, { expiringWithin: 3 * DAY })).toEqual(['Wiki', 'Scale']);
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
    const pages = await listTokens({ ...world, tokens })(OPERATOR, { expiringWithin: DAY });
    const moments: number[] = [];
    if (pages.ok) for await (const page of pages.value) moments.push(...page.map(({ at }) => at));
    expect(new Set(moments)).toEqual(new Set([START]));
    expect(queries).toMatchObject([
      { now: START, expiringBefore: addMilliseconds(START, DAY), after: undefined },
      { now: START, expiringBefore: addMilliseconds(START, DAY), after: entry },
      { now: START, expiringBefore: addMilliseconds(START, DAY), after: entry },
    ]);
  });

  test('nothing is read before the first page is requested', async () => {
    let reads = 0;
    const tokens = {
      ...world.tokens,
      list: async () => {
        reads += 1;
        return [];
      },
    };
    await listTokens({ ...world, tokens })(OPERATOR, {});
    expect(reads).toBe(0);
  });
});
