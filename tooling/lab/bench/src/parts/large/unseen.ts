import type { Sample } from '../../load/measure.ts';
import { type Entrant, measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import type { LargeDirectory } from '../../population/large/large-directory.ts';
import { requestsOfStored } from '../../population/large/stored-tokens.ts';
import { eachOnce, newTokensEachTurn } from '../../population/new-tokens.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';

/** A look-up with few and with very many tokens stored; one sample for each round. */
export interface LookUps {
  readonly few: readonly Sample[];
  readonly many: readonly Sample[];
}

/** Look-ups of tokens never seen. */
export interface Unseen {
  /** At the same rate with few tokens stored as with many. */
  readonly paced: LookUps;
  /** As fast as they are answered. */
  readonly unpaced: LookUps;
}

/**
 * A rate that both answer with time to spare. The database is slower if its data exceeds its memory, and a server that
 * waits for it takes more CPU for each request. So the server's cost is compared at the same rate.
 */
export const UNSEEN_PER_SECOND = 1_000;

export async function measureUnseen(
  small: Directory,
  large: LargeDirectory,
  effort: Effort,
): Promise<Unseen> {
  return {
    paced: await measureOnce(small, large, effort, paced),
    unpaced: await measureOnce(small, large, effort, (plan) => plan),
  };
}

type Plan = Entrant['plan'];

const paced =
  (plan: Plan): Plan =>
  (turn) => {
    const { amount = 0, ...rest } = plan(turn);
    return turn === 0
      ? { ...rest, amount }
      : { ...rest, rate: UNSEEN_PER_SECOND, seconds: amount / UNSEEN_PER_SECOND };
  };

/** With few tokens stored, new ones are made for the measurement; with very many, stored ones are drawn. */
async function measureOnce(
  small: Directory,
  large: LargeDirectory,
  effort: Effort,
  sent: (plan: Plan) => Plan,
): Promise<LookUps> {
  await using servers = new AsyncDisposableStack();
  const entrants = [
    {
      server: servers.use(await startGatehouse(small)),
      plan: sent(await newTokensEachTurn(small, effort, `Unseen ${Date.now()}`)),
    },
    {
      server: servers.use(await startGatehouse(large)),
      plan: sent(await eachOnce(large, effort, 'unseen-large', (count) => requestsOfStored(large, count))),
    },
  ];
  const [few, many] = await measureInRounds(entrants, effort.rounds, small.stage.cores);
  return { few: few?.samples ?? [], many: many?.samples ?? [] };
}
