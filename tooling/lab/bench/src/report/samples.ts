import type { Sample } from '../load/measure.ts';
import { ratios, type Spread, spread } from '../statistics.ts';
import { withSpread } from './markdown.ts';

/** A measurement over the rounds. */
export const middle = (samples: readonly Sample[], of: keyof Sample) =>
  withSpread(spread(samples.map((sample) => sample[of])));

/** The ratio of a measurement to that of the reference in the same round. */
export const ratioOf = (
  samples: readonly Sample[],
  references: readonly Sample[],
  of: keyof Sample = 'cpuMicroseconds',
): Spread =>
  spread(
    ratios(
      samples.map((sample) => sample[of]),
      references.map((sample) => sample[of]),
    ),
  );

/** The share of its core that a server used. */
export const busyOf = (samples: readonly Sample[]) =>
  `${Math.round(spread(samples.map(({ busy }) => busy)).middle * 100)} %`;
