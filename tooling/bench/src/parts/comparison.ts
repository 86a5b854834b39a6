import { setTimeout as delay } from 'node:timers/promises';
import { type ContestantId, startContestants } from '../contestants.ts';
import type { Sample } from '../load/measure.ts';
import { measureInRounds } from '../load/rounds.ts';
import { describeMachine, type Machine } from '../machine/machine.ts';
import type { Effort } from '../options.ts';
import { directorySize, fillDirectory, fillTokens } from '../population/directory.ts';
import { openWithKeys } from '../population/store.ts';
import type { Say } from '../say.ts';
import { timeCommand } from '../servers/command.ts';
import type { Stage } from '../stage.ts';

/** The measurements of one contestant. */
export interface Score {
  readonly id: ContestantId;
  /** One sample for each round. */
  readonly samples: readonly Sample[];
  readonly startMs: number;
  /** Resident memory before its first request, and after its last. */
  readonly idleBytes: number;
  readonly finalBytes: number;
}

export interface Comparison {
  readonly machine: Machine;
  readonly effort: Effort;
  /** The duration of a command, from start to exit. */
  readonly commandMs: number;
  readonly scores: readonly Score[];
}

const STORED = 1_000;
/** The time for a started process to become idle. */
const SETTLE_MS = 2_000;

/** Measures one request, answered by each contestant in turn, round after round. */
export async function compare(stage: Stage, effort: Effort, say: Say): Promise<Comparison> {
  await using resources = new AsyncDisposableStack();
  const size = directorySize(STORED);
  const store = resources.use(await openWithKeys(await stage.createDatabase('gatehouse'), stage.masterKey));
  await fillDirectory(store.url, size);
  await fillTokens(store.url, STORED, size);

  say('starting the contestants');
  const contestants = await startContestants(
    { stage, store, size, seconds: effort.seconds, turns: effort.rounds + 1 },
    resources,
  );
  await delay(SETTLE_MS);
  const idle = contestants.map(({ server }) => server.usage().residentBytes);

  const { rounds } = effort;
  const samples = await measureInRounds(contestants, { rounds, cores: stage.cores, say });
  return {
    machine: describeMachine(stage.cores),
    effort,
    commandMs: timeCommand(store.url),
    scores: contestants.map(({ id, server }, index) => ({
      id,
      samples: samples[index] ?? [],
      startMs: server.startMs,
      idleBytes: idle[index] ?? 0,
      finalBytes: server.usage().residentBytes,
    })),
  };
}
