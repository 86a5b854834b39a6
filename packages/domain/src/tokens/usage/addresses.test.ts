import { expect, test } from 'vitest';
import { createWorld, givenAdmin, givenToken, START } from '../../../testing/index.ts';
import { addMilliseconds, type Instant } from '../../time/instant.ts';
import { forgetAddresses } from './forget-addresses.ts';
import { withoutAddresses } from './token-usage.ts';

const DAY_MS = 86_400_000;

async function given(count = 1) {
  const world = await createWorld();
  const admin = await givenAdmin(world);
  const ids: Awaited<ReturnType<typeof givenToken>>['id'][] = [];
  while (ids.length < count) ids.push((await givenToken(world, admin, { name: `T${ids.length}` })).id);
  const id = ids[0] ?? expect.fail();
  const addresses = async () => (await world.tokens.findUsage(id)).usedFrom.map(({ address }) => address);
  return { world, id, ids, addresses };
}

test('an address is forgotten 90 days after it was last seen, and within a day', async () => {
  const { world, id, addresses } = await given();
  world.usage.used(id, addMilliseconds(START, 1), '10.0.0.1');
  world.usage.used(id, addMilliseconds(START, DAY_MS), '10.0.0.2');
  const forget = forgetAddresses(world);
  world.clock.advance(90 * DAY_MS + 1);
  expect([await forget('old'), await addresses()]).toEqual([0, ['10.0.0.2', '10.0.0.1']]);
  world.clock.advance(DAY_MS);
  expect([await forget('old'), await addresses()]).toEqual([1, ['10.0.0.2']]);
});

test('all addresses are forgotten, in as many batches as it takes', async () => {
  const { world, ids, addresses } = await given(2001);
  for (const id of ids) world.usage.used(id, START, '10.0.0.1');
  expect(await forgetAddresses(world)('all')).toBe(2001);
  expect(await addresses()).toEqual([]);
});

test('a recorder without addresses records the times only', async () => {
  const { world, id } = await given();
  const usage = withoutAddresses(world.usage);
  usage.used(id, START, '10.0.0.1');
  usage.refused(id, (START + 1) as Instant, 'expired', '10.0.0.1');
  await usage.flush();
  expect(await world.tokens.findUsage(id)).toEqual({
    lastUsedAt: START,
    lastUsedFrom: null,
    lastRefusal: { at: START + 1, reason: 'expired', from: null },
    usedFrom: [],
    refusedFrom: [],
    reportedFrom: [],
    usedAt: [],
  });
});
