import type { Cores } from '../machine/cores.ts';
import { say } from '../say.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { measure, type Sample } from './measure.ts';
import type { LoadPlan } from './plan.ts';

/** A server with its load. */
export interface Entrant {
  readonly server: ServerProcess;
  /** Returns the n-th load; the first is the warm-up, which does not count. */
  plan(turn: number): Omit<LoadPlan, 'url'>;
  /** Default: the cores of the stage. */
  readonly cores?: Cores | undefined;
}

/**
 * Loads one server after the other, round after round, so that drift affects all of them. Returns them with a sample for
 * each round.
 */
export async function measureInRounds<E extends Entrant>(
  entrants: readonly E[],
  rounds: number,
  cores: Cores | undefined,
): Promise<readonly (E & { readonly samples: readonly Sample[] })[]> {
  const measured = entrants.map((entrant) => ({ ...entrant, samples: [] as Sample[] }));
  for (let turn = 0; turn <= rounds; turn++) {
    say(turn === 0 ? 'warming up' : `round ${turn} of ${rounds}`);
    // The order is reversed each time, so no server is always measured after the same other one.
    for (const { server, plan, samples, cores: own = cores } of turn % 2 === 0
      ? measured
      : measured.toReversed()) {
      const sample = await measure(server, plan(turn), own);
      if (turn > 0) samples.push(sample);
    }
  }
  return measured;
}
