import { CONNECTIONS } from '../../load/plan.ts';
import { measureInRounds } from '../../load/rounds.ts';
import type { Directory } from '../../population/directory.ts';
import { say } from '../../say.ts';
import { startPeer } from '../../servers/peers.ts';
import type { ServerProcess } from '../../servers/server-process.ts';
import { BODY } from './guarded-services.ts';
import { type BenchService, createServiceTokens } from './services.ts';

/** The CPU of a request in microseconds, of services without and with the verifier, in pairs that ran side by side. */
export interface RequestPairs {
  readonly bare: readonly number[];
  readonly verifier: readonly number[];
}

/** The loads on each service of a pair. */
const TURNS = 6;

/**
 * Measures what the verifier adds to a request. Two processes that run the same code differ by some percent for as long as they
 * run, so each pair is started again and counts once.
 */
export async function measureRequestPairs(
  directory: Directory,
  gatehouse: ServerProcess,
  service: BenchService,
  { pairs, seconds }: { readonly pairs: number; readonly seconds: number },
): Promise<RequestPairs> {
  const { stage } = directory;
  const [token] = await createServiceTokens(directory, service, 1, 'Pairs');
  if (!token) throw new Error('there is no token');
  const requests = await stage.writeRequests('pairs', [{ ...token.request, path: '/orders' }]);
  const env = {
    BODY,
    SCOPE: service.scope,
    GATEHOUSE_URL: gatehouse.announcement.url,
    GATEHOUSE_CREDENTIAL: service.credential,
  };
  const load = { requests, pick: 'in-order', connections: CONNECTIONS } as const;
  // The first load is longer, because V8 compiles the code meanwhile.
  const plan = (turn: number) => ({ ...load, seconds: turn === 0 ? 1.5 * seconds : 0.5 * seconds });
  const result = { bare: [] as number[], verifier: [] as number[] };
  for (let pair = 1; pair <= pairs; pair += 1) {
    say(`= pair ${pair} of ${pairs}`);
    await using bare = await startPeer(stage, 'bare-node-http', env);
    await using verifier = await startPeer(stage, 'orders-verifier', env);
    const entrants = [
      { side: result.bare, server: bare, plan },
      { side: result.verifier, server: verifier, plan },
    ];
    for (const { side, samples } of await measureInRounds(entrants, TURNS, stage.cores)) {
      side.push(samples.reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0) / samples.length);
    }
  }
  return result;
}
