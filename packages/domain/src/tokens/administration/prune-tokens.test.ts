import { beforeEach, describe, expect, test } from 'vitest';
import { createWorld, givenAdmin, givenToken, OPERATOR, START, type World } from '../../../testing/index.ts';
import { addMilliseconds } from '../../time/instant.ts';
import type { User } from '../../users/user.ts';
import { countPrunableTokens, pruneTokens } from './prune-tokens.ts';

const DAY = 86_400_000;

describe('pruning', () => {
  let world: World;
  let user: User;

  beforeEach(async () => {
    world = await createWorld();
    user = await givenAdmin(world);
    world.clock.advance(10 * DAY);
  });

  const givenSignIn = (endedDaysAgo: number) =>
    givenToken(world, user, {
      kind: 'sign-in',
      expiresAt: addMilliseconds(START, (10 - endedDaysAgo) * DAY),
    });
  const count = (olderThanMs: number) => countPrunableTokens(world)(OPERATOR, { olderThanMs });
  const prune = (days: number) =>
    pruneTokens(world)(OPERATOR, { endedBefore: addMilliseconds(START, (10 - days) * DAY) });

  test('counts, then deletes, tokens that ended longer ago', async () => {
    await givenSignIn(4);
    const ended = await givenSignIn(6);
    expect(await count(5 * DAY)).toEqual({
      ok: true,
      value: { endedBefore: addMilliseconds(START, 5 * DAY), count: 1, more: false },
    });
    expect(await prune(5)).toEqual({ ok: true, value: { pruned: 1, more: false } });
    expect(await world.tokens.findRecord(ended.id)).toBeUndefined();
    expect(await count(3 * DAY)).toMatchObject({ value: { count: 1 } });
  });

  test('records an event of each token with the operator as its actor', async () => {
    const { id, accountId } = await givenSignIn(6);
    await prune(5);
    const [entry] = await world.audit.list({ limit: 1 });
    expect(entry?.event).toEqual({
      at: world.clock.now(),
      actor: { kind: 'operator', name: 'root' },
      origin: 'test',
      action: 'token.pruned',
      subject: { type: 'token', id },
      accountId,
      details: { kind: 'sign-in', user_id: user.id, ended_at: '2026-01-05T00:00:00.000Z' },
    });
  });

  test('deletes a hundred tokens at a time, so that the change feed can name them', async () => {
    for (let index = 0; index < 201; index += 1) await givenSignIn(6);
    expect(await prune(5)).toEqual({ ok: true, value: { pruned: 100, more: true } });
    expect(await prune(5)).toEqual({ ok: true, value: { pruned: 100, more: true } });
    expect(await prune(5)).toEqual({ ok: true, value: { pruned: 1, more: false } });
  });

  test('stops counting at a limit', async () => {
    const tokens = { ...world.tokens, countEnded: async ({ limit }: { limit: number }) => limit };
    expect(await countPrunableTokens({ ...world, tokens })(OPERATOR, { olderThanMs: DAY })).toMatchObject({
      value: { count: 100_000, more: true },
    });
  });

  test('accepts a duration beyond the first instant', async () => {
    expect(await count(1_000_000 * 7 * DAY)).toEqual({
      ok: true,
      value: { endedBefore: 0, count: 0, more: false },
    });
  });

  test('deletes no token that has not ended', async () => {
    const live = await givenSignIn(-1);
    expect(await prune(-2)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(await world.tokens.findRecord(live.id)).toBeDefined();
  });
});
