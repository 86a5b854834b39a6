import type { Sample } from '../../load/measure.ts';
import { type Entrant, measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import { createRequest } from '../../population/tokens-in-use.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';

/** The throughput of a server whose processes may use all cores. */
export interface WorkersResult {
  readonly workers: number;
  /** The number of its processes, including the primary. */
  readonly processes: number;
  readonly samples: readonly Sample[];
}

const WORKERS = [1, 2];
const CONNECTIONS = 64;
/** Fewer than elsewhere: no limit depends on them. */
const ROUNDS = 5;

export async function measureWorkers(
  directory: Directory,
  { rounds, seconds }: Effort,
): Promise<readonly WorkersResult[]> {
  await using servers = new AsyncDisposableStack();
  const { stage } = directory;
  const requests = await stage.writeRequests('workers', [await createRequest(directory, 'Workers')]);
  const load = { requests, pick: 'in-order', connections: CONNECTIONS, seconds } as const;
  const everywhere = stage.cores && { ...stage.cores, load: stage.cores.all };
  const entrants: (Entrant & { readonly workers: number })[] = [];
  for (const workers of WORKERS) {
    const started = startGatehouse(directory, { WORKERS: `${workers}` }, everywhere?.all);
    entrants.push({ workers, server: servers.use(await started), plan: () => load });
  }
  const measured = await measureInRounds(entrants, Math.min(rounds, ROUNDS), everywhere);
  return measured.map(({ workers, server, samples }) => ({
    workers,
    processes: server.usage().processes,
    samples,
  }));
}
