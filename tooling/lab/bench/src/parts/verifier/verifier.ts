import type { Effort } from '../../options.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import { type Checks, measureChecks } from './checks.ts';
import { type GuardCosts, measureGuards } from './guard-cost.ts';
import { startGuardedServices } from './guarded-services.ts';
import { measureRequestPairs, type RequestPairs } from './request-pairs.ts';
import { createBenchService, openUsers } from './services.ts';

/** The cost of the verifier in a service, beside other ways to check tokens. */
export interface VerifierCost {
  readonly checks: Checks;
  readonly pairs: RequestPairs;
  readonly guards: GuardCosts;
}

/** Measures the verifier in a process of its own, in a service, and beside services that check otherwise. */
export async function measureVerifier(
  stage: Stage,
  { seconds, verifier: { tokens, checkRounds, pairs, rounds } }: Effort,
): Promise<VerifierCost> {
  await using directory = await openUsers(stage, 'verifier', tokens);
  const service = await createBenchService(directory, 'orders');
  await using gatehouse = await startGatehouse(directory);
  await using resources = new AsyncDisposableStack();
  return {
    checks: await measureChecks(directory, gatehouse, service, { tokens, rounds: checkRounds }),
    pairs: await measureRequestPairs(directory, gatehouse, service, { pairs, seconds }),
    guards: await measureGuards(
      await startGuardedServices(directory, gatehouse, service, resources),
      rounds,
      seconds,
      stage.cores,
    ),
  };
}
