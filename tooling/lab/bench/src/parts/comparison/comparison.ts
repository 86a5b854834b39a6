import { setTimeout as delay } from 'node:timers/promises';
import { type ContestantId, startContestants } from '../../contestants.ts';
import type { Sample } from '../../load/measure.ts';
import { measureInRounds } from '../../load/rounds.ts';
import type { Effort } from '../../options.ts';
import { openDirectory } from '../../population/directory.ts';
import { say } from '../../say.ts';
import { timeCommand } from '../../servers/command.ts';
import type { Stage } from '../../stage.ts';
import { median } from '../../statistics.ts';
import { type ByWrk, measureByWrk, measurePaced, type PacedScore, WARM_PAIR } from './warm-pair.ts';

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
  /** The duration of a command, from start to exit. */
  readonly commandMs: number;
  readonly scores: readonly Score[];
  /** The warm pair, at a share of its capacity. */
  readonly paced: readonly PacedScore[];
  /** Undefined where `wrk` is not installed. */
  readonly byWrk: ByWrk | undefined;
}

const STORED = 1_000;
const COMMANDS = 7;
/** The time for a started process to become idle. */
const SETTLE_MS = 2_000;

/** Measures one request, answered by each contestant in turn, round after round. */
export async function compare(stage: Stage, effort: Effort): Promise<Comparison> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.use(await openDirectory(stage, 'gatehouse', STORED));

  say('starting the contestants');
  const contestants = await startContestants(directory, effort, resources);
  await delay(SETTLE_MS);
  const idle = contestants.map(({ server }) => server.usage().residentBytes);
  const measured = await measureInRounds(contestants, effort.rounds, stage.cores);
  const final = contestants.map(({ server }) => server.usage().residentBytes);
  const pair = measured.filter(({ id }) => WARM_PAIR.some((one) => one === id));
  const settings = { DATABASE_URL: directory.url };
  return {
    paced: await measurePaced(pair, effort, stage.cores),
    byWrk: await measureByWrk(pair, effort, stage.cores),
    commandMs: median(
      Array.from({ length: COMMANDS }, () => timeCommand(settings, ['key', 'list', '--json'])),
    ),
    scores: measured.map(({ id, server, samples }, index) => ({
      id,
      samples,
      startMs: server.startMs,
      idleBytes: idle[index] ?? 0,
      finalBytes: final[index] ?? 0,
    })),
  };
}
