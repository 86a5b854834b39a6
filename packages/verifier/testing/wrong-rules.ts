import type { Rules } from '../src/core/rules.ts';

const never = () => false;
const always = () => true;

/** Wrong judgements of the verifier. Each of them has to be found by a schedule. */
export const WRONG_RULES: Record<string, Partial<Rules>> = {
  'an anchor is used for an hour, with a margin of 0.1 %': {
    boundOf: ({ sentAt, now }, heard, at) =>
      sentAt.monotonic + heard - now - 0.001 * (at.monotonic - sentAt.monotonic),
  },
  'clocks are compared without a margin': {
    boundOf: ({ sentAt, now }, heard, at) =>
      at.monotonic - sentAt.monotonic > 10_000 ? undefined : sentAt.monotonic + heard - now,
  },
  'a proof holds up to its arrival': { boundOf: (_anchor, _heard, at) => at.monotonic },
  'clocks never disagree': { clocksDisagree: never },
  'a stream of any nonce is read': { isForeign: never },
  'lines may be missing': { hasGap: never },
  'a proof from the future is believed': { isImpossible: never },
  'any database is the same': { isOtherDatabase: never },
  'a pause of both clocks is not noticed': { wasPaused: never },
  'a new stream may begin at any time': { overlaps: always },
  'a stream tells all kinds': { tellsKinds: always },
  'a change during a question is nothing': { isTouched: never },
  'an answer is never too late': { isLate: never },
};
