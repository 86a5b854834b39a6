import type { Sample } from '../../load/measure.ts';
import { CONNECTIONS, usedOnce } from '../../load/plan.ts';
import { type Entrant, measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import { createTokensInUse } from '../../population/tokens-in-use.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';

/** The cost of a request with a number of stored tokens. */
export interface StoredResult {
  readonly stored: number;
  readonly known: readonly Sample[];
  readonly fresh: readonly Sample[];
}

/** Runs the same two loads on one server for each directory: a known token, and new tokens only. */
export async function measureStored(
  directories: readonly Directory[],
  { rounds, seconds }: Effort,
): Promise<readonly StoredResult[]> {
  await using servers = new AsyncDisposableStack();
  const { slice, plan: once } = usedOnce(seconds);
  const entrants: Entrant[] = [];
  for (const directory of directories) {
    const { stage, organizations } = directory;
    const tokens = await createTokensInUse(directory, 1 + slice * (rounds + 1), 'Stored');
    const requests = tokens.map(({ request }) => request);
    const known = await stage.writeRequests(`known-${organizations}`, requests.slice(0, 1));
    const fresh = await stage.writeRequests(`fresh-${organizations}`, requests.slice(1));
    const server = servers.use(await startGatehouse(directory));
    const load = { requests: known, pick: 'in-order', connections: CONNECTIONS, seconds } as const;
    entrants.push({ server, plan: () => load }, { server, plan: once(fresh) });
  }
  const measured = await measureInRounds(entrants, rounds, directories[0]?.stage.cores);
  return directories.map(({ organizations }, index) => ({
    stored: organizations,
    known: measured[2 * index]?.samples ?? [],
    fresh: measured[2 * index + 1]?.samples ?? [],
  }));
}
