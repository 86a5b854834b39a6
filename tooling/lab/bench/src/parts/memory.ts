import { setTimeout as delay } from 'node:timers/promises';
import { measure } from '../load/measure.ts';
import { CONNECTIONS, type LoadRequest } from '../load/plan.ts';
import type { Effort } from '../options.ts';
import { type Directory, openDirectory } from '../population/directory.ts';
import { createTokensInUse } from '../population/tokens-in-use.ts';
import { say } from '../say.ts';
import { startGatehouse } from '../servers/gatehouse.ts';
import type { Stage } from '../stage.ts';

/** The memory of a server that keeps very many tokens. */
export interface Memory {
  readonly tokens: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly idleBytes: number;
  /** Resident after each token was used once, garbage included. */
  readonly filledBytes: number;
  /** The heap that remains after a garbage collection, and what is resident after it. */
  readonly heapBytes: number;
  readonly collectedBytes: number;
  /** The CPU of a request when all are used again, uniformly. */
  readonly knownMicroseconds: number;
}

const PROBE = new URL('../servers/heap-probe.ts', import.meta.url);
/** The number of tokens that one statement stores. */
const CHUNK = 50_000;
/** Usage is stored within a second, and then dropped. */
const FLUSHED_MS = 3_000;
const AGAIN_S = 10;

/** Uses very many tokens once each on one server, whose limits are raised so that it keeps all of them. */
export async function fillMemory(stage: Stage, { memory: tokens }: Effort): Promise<Memory> {
  await using directory = await openDirectory(stage, 'memory', Math.min(tokens, 100_000));
  const requests = await stage.writeRequests('memory', await requestsOf(directory, tokens));
  const settings = {
    CACHE_TOKENS: `${tokens + CHUNK}`,
    CACHE_TOKENS_MB: `${Math.ceil(tokens * 0.0016) + 10}`,
  };
  await using server = await startGatehouse(directory, { ...settings, NODE_OPTIONS: `--import=${PROBE}` });
  const idleBytes = server.usage().residentBytes;
  say(`using ${tokens} tokens once`);
  const amount = tokens + CONNECTIONS;
  await measure(server, { requests, pick: 'in-order', amount, connections: CONNECTIONS }, stage.cores);
  await delay(FLUSHED_MS);
  const filledBytes = server.usage().residentBytes;
  const again = { requests, pick: 'uniform', connections: CONNECTIONS, seconds: AGAIN_S } as const;
  const { cpuMicroseconds } = await measure(server, again, stage.cores);
  await delay(FLUSHED_MS);
  const heapBytes = await server.heapBytes();
  const collectedBytes = server.usage().residentBytes;
  return {
    tokens,
    settings,
    idleBytes,
    filledBytes,
    heapBytes,
    collectedBytes,
    knownMicroseconds: cpuMicroseconds,
  };
}

async function requestsOf(directory: Directory, tokens: number): Promise<readonly LoadRequest[]> {
  const requests: LoadRequest[] = [];
  while (requests.length < tokens) {
    const made = await createTokensInUse(
      directory,
      Math.min(CHUNK, tokens - requests.length),
      `Memory ${requests.length}`,
    );
    for (const { request } of made) requests.push({ ...request, path: '/api/v1/me.json' });
    say(`made ${requests.length} of ${tokens} tokens`);
  }
  return requests;
}
