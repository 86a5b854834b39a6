import type { Sample } from '../../load/measure.ts';
import { CONNECTIONS } from '../../load/plan.ts';
import { type Entrant, measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import { createRequest } from '../../population/tokens-in-use.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';

/** The cost of a request whose token is known, with a number of stored tokens. */
export interface StoredResult {
  readonly stored: number;
  readonly samples: readonly Sample[];
}

/** Runs the same load on one server for each directory. */
export async function measureStored(
  directories: readonly Directory[],
  { rounds, seconds }: Effort,
): Promise<readonly StoredResult[]> {
  await using servers = new AsyncDisposableStack();
  const entrants: (Entrant & { readonly stored: number })[] = [];
  for (const directory of directories) {
    const { stage, organizations } = directory;
    const request = await createRequest(directory, 'Stored');
    const requests = await stage.writeRequests(`known-${organizations}`, [request]);
    const server = servers.use(await startGatehouse(directory));
    const load = { requests, pick: 'in-order', connections: CONNECTIONS, seconds } as const;
    entrants.push({ server, plan: () => load, stored: organizations });
  }
  return await measureInRounds(entrants, rounds, directories[0]?.stage.cores);
}
