import { measure, type Sample } from '../../load/measure.ts';
import { CONNECTIONS, type Pick } from '../../load/plan.ts';
import { type Entrant, measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import { createTokensInUse } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';

/** The cost of a request with a number of tokens in use, each with its own organization. */
export interface InUseResult {
  readonly tokens: number;
  readonly pick: Pick;
  readonly samples: readonly Sample[];
  /** Resident memory before the first request, and after each token was used. */
  readonly idleBytes: number;
  readonly filledBytes: number;
}

/** Measures a server for each number of tokens and each way of choosing among them. */
export async function measureInUse(
  directory: Directory,
  { rounds, seconds, inUse }: Effort,
): Promise<readonly InUseResult[]> {
  await using servers = new AsyncDisposableStack();
  const { stage } = directory;
  const tokens = await createTokensInUse(directory, Math.max(...inUse), 'In use');
  const entrants: (Entrant & Omit<InUseResult, 'samples'>)[] = [];
  for (const count of inUse) {
    const requests = await stage.writeRequests(
      `in-use-${count}`,
      tokens.slice(0, count).map(({ request }) => request),
    );
    for (const pick of count === 1 ? (['in-order'] as const) : (['uniform', 'zipf'] as const)) {
      say(`using ${count} tokens`);
      const server = servers.use(await startGatehouse(directory));
      const idleBytes = server.usage().residentBytes;
      const load = { requests, connections: CONNECTIONS };
      // Uses each once, and a few twice, so that none is missing when the last requests are active.
      const amount = count + CONNECTIONS;
      await measure(server, { ...load, pick: 'in-order', amount }, stage.cores);
      entrants.push({
        server,
        plan: () => ({ ...load, pick, seconds }),
        tokens: count,
        pick,
        idleBytes,
        filledBytes: server.usage().residentBytes,
      });
    }
  }
  return await measureInRounds(entrants, rounds, stage.cores);
}
