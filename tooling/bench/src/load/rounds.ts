import type { Cores } from '../machine/cores.ts';
import type { Say } from '../say.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { measure, type Sample } from './measure.ts';
import type { LoadPlan } from './plan.ts';

/** A server with its load. */
export interface Entrant {
  readonly server: ServerProcess;
  /** Returns the n-th load; the first is the warm-up, which does not count. */
  plan(turn: number): Omit<LoadPlan, 'url'>;
}

export interface RoundsOptions {
  readonly rounds: number;
  readonly cores: Cores | undefined;
  readonly say: Say;
}

/**
 * Loads one server after the other, round after round, so that drift affects all of them. Returns samples by entrant,
 * then round.
 */
export async function measureInRounds(
  entrants: readonly Entrant[],
  { rounds, cores, say }: RoundsOptions,
): Promise<readonly (readonly Sample[])[]> {
  const samples = entrants.map((): Sample[] => []);
  for (let turn = 0; turn <= rounds; turn++) {
    say(turn === 0 ? 'warming up' : `round ${turn} of ${rounds}`);
    for (const [index, { server, plan }] of entrants.entries()) {
      const sample = await measure(server, plan(turn), cores);
      if (turn > 0) samples[index]?.push(sample);
    }
  }
  return samples;
}
