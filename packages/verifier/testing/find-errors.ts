import fc from 'fast-check';
import { createKnowledge } from '../src/core/knowledge.ts';
import { createMemory } from '../src/core/memory.ts';
import type { Rules } from '../src/core/rules.ts';
import type { Planted } from './model/planted.ts';
import { anySchedule, playSchedule, type Schedule } from './model/schedule.ts';
import { type Build, MAX_STALENESS_MS, type Remembered } from './model/world.ts';

export const PLANTED: readonly (keyof Planted)[] = [
  'provesByTimer',
  'subscribesLate',
  'replaysNothing',
  'claimsWholeReplay',
  'answersFromMemory',
  'namesNoDatabase',
  'joinsReads',
  'namesSubject',
  'readsNowEarly',
];

interface Options {
  /** How many schedules to play. */
  readonly runs: number;
  readonly seed?: number | undefined;
  /** Look for the shortest schedule that fails. */
  readonly shrink?: boolean;
}

export const buildWith =
  (rules: Rules): Build =>
  (now) =>
    createKnowledge<Remembered>({ memory: createMemory(100), now, maxStalenessMs: MAX_STALENESS_MS }, rules);

/** Plays random schedules against these rules and servers, until one fails. */
export function tryRules(
  rules: Rules,
  planted: Planted,
  { runs, seed, shrink = false }: Options,
): fc.RunDetails<[Schedule]> {
  const play = (schedule: Schedule) => void playSchedule(buildWith(rules), schedule, planted);
  const parameters = { numRuns: runs, endOnFailure: !shrink, ...(seed === undefined ? {} : { seed }) };
  return fc.check(fc.property(anySchedule, play), parameters);
}
