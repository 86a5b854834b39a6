import type { Sample } from '../../load/measure.ts';
import { type Entrant, measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import { createTokensInUse } from '../../population/tokens-in-use.ts';
import type { Say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';
import type { Stage } from '../../stage.ts';
import type { FilledDatabase } from './filled-database.ts';

/** The throughput of a server with a number of processes that may use all cores. */
export interface WorkersResult {
  readonly workers: number;
  /** The number of its processes, including the primary. */
  readonly processes: number;
  readonly samples: readonly Sample[];
}

const WORKERS = [1, 2];
const CONNECTIONS = 64;

export async function measureWorkers(
  stage: Stage,
  { store, size }: FilledDatabase,
  { rounds, seconds }: Effort,
  say: Say,
): Promise<readonly WorkersResult[]> {
  await using servers = new AsyncDisposableStack();
  const [token] = await createTokensInUse(store, size, { count: 1, prefix: 'Workers' });
  if (!token) throw new Error('there is no token');
  const requests = await stage.writeRequests('workers', [token.request]);
  const everywhere = stage.cores && { ...stage.cores, load: stage.cores.all };
  const entrants: Entrant[] = [];
  for (const workers of WORKERS) {
    const server = servers.use(
      await startGatehouse({
        databaseUrl: store.url,
        masterKey: stage.masterKey,
        cores: everywhere?.all,
        settings: { WORKERS: `${workers}` },
      }),
    );
    entrants.push({
      server,
      plan: () => ({ requests, pick: 'in-order', connections: CONNECTIONS, seconds }),
    });
  }
  const samples = await measureInRounds(entrants, { rounds, cores: everywhere, say });
  return entrants.map(({ server }, index) => ({
    workers: WORKERS[index] ?? 0,
    processes: server.usage().processes,
    samples: samples[index] ?? [],
  }));
}
