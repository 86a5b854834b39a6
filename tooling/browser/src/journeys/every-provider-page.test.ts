import { afterAll, beforeAll, describe, it } from 'vitest';
import { newPage } from '../index.ts';
import { expectGoodPage, reach } from './every-page/good-page.ts';
import { EMERGENCY_STATES, ONE_PROVIDER_STATES, PROVIDER_STATES } from './every-page/provider-states.ts';
import { type ProviderWorld, startProviderWorld } from './provider-world.ts';

describe.each([
  { name: 'three providers', states: PROVIDER_STATES, options: { providers: 'three' } },
  { name: 'one provider', states: ONE_PROVIDER_STATES, options: { providers: 'one' } },
  {
    name: 'one provider, and passwords for emergencies',
    states: EMERGENCY_STATES,
    options: { providers: 'one', passwords: 'break-glass' },
  },
] as const)('$name', ({ states, options }) => {
  let world: ProviderWorld;
  beforeAll(async () => {
    world = await startProviderWorld(options);
  }, 60_000);
  afterAll(() => world[Symbol.asyncDispose]());

  it.each(states)(
    '$name: is as it has to be, wide and narrow, light and dark, and by the Tab key',
    async (state) => {
      await using page = await newPage();
      await expectGoodPage(page, await reach(page, world, state, undefined), state);
    },
  );
});
