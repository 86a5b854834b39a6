import type { Sample } from '../../load/measure.ts';
import { type Entrant, measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import { createTokensInUse } from '../../population/tokens-in-use.ts';
import type { Say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import type { FilledDatabase } from './filled-database.ts';

/** The cost of a request with a number of stored tokens. */
export interface StoredResult {
  readonly stored: number;
  readonly known: readonly Sample[];
  readonly fresh: readonly Sample[];
}

const CONNECTIONS = 32;
const UNSENT = 4 * CONNECTIONS;
const FRESH_PER_SECOND = 1_500;

/** Runs the same two loads on one server for each database: a known token, and new tokens only. */
export async function measureStored(
  stage: Stage,
  databases: readonly FilledDatabase[],
  { rounds, seconds }: Effort,
  say: Say,
): Promise<readonly StoredResult[]> {
  await using servers = new AsyncDisposableStack();
  const amount = Math.ceil(FRESH_PER_SECOND * seconds);
  const slice = amount + UNSENT;
  const entrants: Entrant[] = [];
  for (const { store, size, stored } of databases) {
    const tokens = await createTokensInUse(store, size, {
      count: 1 + slice * (rounds + 1),
      prefix: 'Stored',
    });
    const requests = tokens.map(({ request }) => request);
    const known = await stage.writeRequests(`known-${stored}`, requests.slice(0, 1));
    const fresh = await stage.writeRequests(`fresh-${stored}`, requests.slice(1));
    const server = servers.use(
      await startGatehouse({
        databaseUrl: store.url,
        masterKey: stage.masterKey,
        cores: stage.cores?.server,
      }),
    );
    const load = { pick: 'in-order', connections: CONNECTIONS } as const;
    entrants.push(
      { server, plan: () => ({ ...load, requests: known, seconds }) },
      { server, plan: (turn) => ({ ...load, requests: fresh, amount, offset: turn * slice }) },
    );
  }
  const samples = await measureInRounds(entrants, { rounds, cores: stage.cores, say });
  return databases.map(({ stored }, index) => ({
    stored,
    known: samples[2 * index] ?? [],
    fresh: samples[2 * index + 1] ?? [],
  }));
}
