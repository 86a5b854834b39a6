import { CONNECTIONS } from '../../load/plan.ts';
import { startLoad } from '../../load/start-load.ts';
import type { Cores } from '../../machine/cores.ts';
import { say } from '../../say.ts';
import type { Guard, GuardedService } from './guarded-services.ts';

/** The CPU of a request in one round, in microseconds. */
export interface GuardSample {
  readonly service: number;
  /** The CPU of the server that was asked, and that of its database. */
  readonly authority: number;
  readonly database: number;
  /** All three. */
  readonly total: number;
  readonly p50Ms: number;
}

export type GuardCosts = Readonly<Record<Guard, readonly GuardSample[]>>;

/** Loads one service after the other, round after round, and divides the CPU of all processes by the answers. */
export async function measureGuards(
  services: readonly GuardedService[],
  rounds: number,
  seconds: number,
  cores: Cores | undefined,
): Promise<GuardCosts> {
  const samples = new Map<Guard, GuardSample[]>(services.map(({ guard }) => [guard, []]));
  for (let turn = 0; turn <= rounds; turn += 1) {
    say(turn === 0 ? 'warming up' : `round ${turn} of ${rounds}`);
    for (const service of turn % 2 === 0 ? services : services.toReversed()) {
      const sample = await load(service, turn === 0 ? 2 * seconds : seconds, cores);
      if (turn > 0) samples.get(service.guard)?.push(sample);
    }
  }
  return Object.fromEntries(samples) as Record<Guard, GuardSample[]>;
}

async function load(
  { server, authority, database, requests }: GuardedService,
  seconds: number,
  cores: Cores | undefined,
): Promise<GuardSample> {
  const cpu = () => [
    server.usage().cpuSeconds,
    authority?.usage().cpuSeconds ?? 0,
    database?.cpuSeconds() ?? 0,
  ];
  const { url } = server.announcement;
  const before = cpu();
  const plan = { url, requests, pick: 'in-order', connections: CONNECTIONS, seconds } as const;
  const { answered, p50Ms } = await startLoad(plan, cores?.load).result;
  const [service = 0, ofAuthority = 0, ofDatabase = 0] = cpu().map(
    (after, index) => ((after - (before[index] as number)) * 1e6) / answered,
  );
  return {
    service,
    authority: ofAuthority,
    database: ofDatabase,
    total: service + ofAuthority + ofDatabase,
    p50Ms,
  };
}
