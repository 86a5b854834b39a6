import type { Contestant, ContestantId } from '../../contestants.ts';
import type { Sample } from '../../load/measure.ts';
import { pacedWarmUpSeconds } from '../../load/paced.ts';
import { measureInRounds } from '../../load/rounds.ts';
import type { Cores } from '../../machine/cores.ts';
import type { Effort } from '../../options.ts';
import { say } from '../../say.ts';
import { median } from '../../statistics.ts';

/** The latency of a contestant that is not at its limit. */
export interface PacedScore {
  readonly id: ContestantId;
  /** The requests that it is sent in a second. */
  readonly rate: number;
  readonly samples: readonly Sample[];
}

/** Of the requests in a second that a contestant answered when it got as many as it could. */
export const PACED_SHARE = 0.7;

/** Sends each contestant the same share of what it answered in the rounds before. */
export async function measurePaced(
  contestants: readonly (Contestant & { readonly samples: readonly Sample[] })[],
  { rounds, seconds }: Effort,
  cores: Cores | undefined,
): Promise<readonly PacedScore[]> {
  say(`= at ${PACED_SHARE * 100} % of the capacity`);
  const entrants = contestants.map(({ id, server, samples, plan }) => {
    const rate = PACED_SHARE * median(samples.map(({ requestsPerSecond }) => requestsPerSecond));
    const load = { ...plan(0), rate, seconds: seconds + pacedWarmUpSeconds(seconds) };
    return { id, rate, server, plan: () => load };
  });
  return await measureInRounds(entrants, rounds, cores);
}
