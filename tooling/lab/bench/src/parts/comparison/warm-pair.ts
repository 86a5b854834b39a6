import type { Contestant, ContestantId } from '../../contestants.ts';
import type { Sample } from '../../load/measure.ts';
import { unrecordedSeconds } from '../../load/paced.ts';
import { measureInRounds } from '../../load/rounds.ts';
import { wrkVersion } from '../../load/wrk.ts';
import type { Cores } from '../../machine/cores.ts';
import type { Effort } from '../../options.ts';
import { say } from '../../say.ts';
import { median } from '../../statistics.ts';

/** Gatehouse with everything in memory, and the contestant that it is compared with. */
export const WARM_PAIR = ['bare-node-http', 'warm'] as const satisfies readonly ContestantId[];

/** The latency of a contestant that is not at its limit. */
export interface PacedScore {
  readonly id: ContestantId;
  /** The requests per second that it gets. */
  readonly rate: number;
  readonly samples: readonly Sample[];
}

/** The same rounds, with another load generator. */
export interface ByWrk {
  readonly version: string;
  readonly scores: readonly { readonly id: ContestantId; readonly samples: readonly Sample[] }[];
}

/** The share of its capacity, in requests per second, at which a contestant's latency is measured. */
export const PACED_SHARE = 0.7;

/** Sends each contestant the same share of the rate that it reached in the rounds before. */
export async function measurePaced(
  contestants: readonly (Contestant & { readonly samples: readonly Sample[] })[],
  { rounds, seconds }: Effort,
  cores: Cores | undefined,
): Promise<readonly PacedScore[]> {
  say(`= at ${PACED_SHARE * 100} % of the capacity`);
  const entrants = contestants.map(({ id, server, samples, plan }) => {
    const rate = PACED_SHARE * median(samples.map(({ requestsPerSecond }) => requestsPerSecond));
    const load = { ...plan(0), rate, seconds: seconds + unrecordedSeconds({ rate, seconds }) };
    return { id, rate, server, plan: () => load };
  });
  return await measureInRounds(entrants, rounds, cores);
}

/** Returns undefined where `wrk` is not installed: no package of this workspace brings it. */
export async function measureByWrk(
  contestants: readonly Contestant[],
  { rounds }: Effort,
  cores: Cores | undefined,
): Promise<ByWrk | undefined> {
  const version = wrkVersion();
  if (version === undefined) return undefined;
  say('= by wrk');
  const entrants = contestants.map(({ id, server, plan }) => {
    const load = { ...plan(0), by: 'wrk' } as const;
    return { id, server, plan: () => load };
  });
  return { version, scores: await measureInRounds(entrants, rounds, cores) };
}
