import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measure, type Sample } from '../../load/measure.ts';
import { startLoad } from '../../load/start-load.ts';
import type { Effort } from '../../options.ts';
import type { Directory } from '../../population/directory.ts';
import { SIGN_IN_SETTINGS, signInRequests } from '../../population/sign-in-requests.ts';
import { createRequest } from '../../population/tokens-in-use.ts';
import { say } from '../../say.ts';
import { startGatehouse } from '../../servers/gatehouse.ts';

export interface SignInsResult {
  readonly clients: number;
  /** Reads without sign-ins, and while the clients sign in; one sample for each round. */
  readonly idle: readonly Sample[];
  readonly during: readonly Sample[];
  /** The CPU time of a sign-in over all threads, and of its hash in the threads that hash; one for each round. */
  readonly signInCpuMs: readonly number[];
  readonly hashCpuMs: readonly number[];
  /** The CPU time of the same hash in a process that only computes hashes, one after another. */
  readonly bareHashCpuMs: readonly number[];
}

const CLIENTS = 100;
/** Low enough that reads alone leave the machine nearly idle. */
const READS = { connections: 10, rate: 500 } as const;
/** The number of each kind in each round. */
const HASHES = 100;
const HASH = fileURLToPath(new URL('bare-hash.ts', import.meta.url));

/** Measures reads' latency with and without sign-ins, on a server that may use all cores. */
export async function measureSignIns(
  directory: Directory,
  { rounds, seconds }: Effort,
): Promise<SignInsResult> {
  const { stage, users } = directory;
  const reads = {
    ...READS,
    requests: await stage.writeRequests('reads', [await createRequest(directory, 'Reads')]),
    pick: 'in-order',
    seconds,
  } as const;
  const signIns = {
    requests: await stage.writeRequests('sign-ins', signInRequests(Math.min(CLIENTS, users))),
    pick: 'in-order',
  } as const;

  await using server = await startGatehouse(directory, SIGN_IN_SETTINGS, stage.cores?.all);
  const everywhere = stage.cores && { ...stage.cores, load: stage.cores.all };
  await measure(server, reads, everywhere);
  const some = { ...signIns, connections: 4, amount: HASHES };
  await measure(server, some, everywhere);

  const [idle, during]: [Sample[], Sample[]] = [[], []];
  const [signInCpuMs, hashCpuMs, bareHashCpuMs]: [number[], number[], number[]] = [[], [], []];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    const before = server.hashingCpuSeconds();
    signInCpuMs.push((await measure(server, some, everywhere)).cpuMicroseconds / 1000);
    hashCpuMs.push(((server.hashingCpuSeconds() - before) * 1000) / HASHES);
    bareHashCpuMs.push(Number(execFileSync(process.execPath, [HASH, `${HASHES}`], { encoding: 'utf8' })));
    idle.push(await measure(server, reads, everywhere));
    const crowd = startLoad(
      { ...signIns, url: server.announcement.url, connections: CLIENTS, seconds: 600 },
      everywhere?.load,
    );
    await Promise.race([delay(1_000), crowd.result]);
    during.push(await measure(server, reads, everywhere));
    crowd.stop();
    await crowd.result;
    // The clients' queue is still being hashed; this sign-in is answered after all of it.
    await measure(server, { ...signIns, connections: 1, amount: 1 }, everywhere);
  }
  return { clients: CLIENTS, idle, during, signInCpuMs, hashCpuMs, bareHashCpuMs };
}
