import fc from 'fast-check';
import { begin, EVERYDAY } from './everyday-actions.ts';
import { FAULTS } from './faults.ts';
import type { Planted } from './planted.ts';
import { SINGLE_STEPS } from './single-steps.ts';
import { type Build, createWorld, RATES, type World } from './world.ts';

const ACTIONS = { ...EVERYDAY, ...SINGLE_STEPS, ...FAULTS };

const anyAction = fc.oneof(
  ...Object.entries(ACTIONS).map(([name, { weight, least = 0, most }]) => ({
    weight,
    arbitrary: fc.tuple(fc.constant(name), fc.integer({ min: least, max: most })),
  })),
);

const anyRate = fc.constantFrom(...RATES);

/** A random course of events. */
export const anySchedule = fc.record({
  rates: fc.tuple(anyRate, anyRate, anyRate),
  isOlder: fc.constantFrom(false, false, false, true),
  delay: fc.constantFrom(0, 0, 20, 450),
  actions: fc.array(anyAction, { minLength: 10, maxLength: 70, size: 'max' }),
});

export type Schedule = typeof anySchedule extends fc.Arbitrary<infer T> ? T : never;

/** Plays a schedule. Throws if a token was accepted on knowledge that is older than the bound. */
export function playSchedule(
  build: Build,
  { actions, ...setting }: Schedule,
  planted: Planted = {},
): World['counts'] {
  const world = createWorld(build, setting, planted);
  begin(world);
  for (const [name, value] of actions) ACTIONS[name]?.act(world, value);
  return world.counts;
}
