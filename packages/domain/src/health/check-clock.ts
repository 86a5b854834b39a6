import type { Clock } from '../time/clock.ts';
import { type CheckOutcome, outcomeOf } from './health-report.ts';
import type { StoreProbe } from './probes.ts';

/** Expiries are decided by the clocks of servers and recorded beside those of the database. */
const TOLERATED_SKEW_MS = 1000;
const SAMPLES = 3;

export interface ClockPorts {
  readonly clock: Clock;
  readonly storeProbe: Pick<StoreProbe, 'now'>;
}

/** Compares this machine's clock with the database's, as well as the way between them lets it. */
export async function checkClock(ports: ClockPorts): Promise<CheckOutcome> {
  const samples = [];
  for (let count = 0; count < SAMPLES; count += 1) samples.push(await compare(ports));
  const { skewMs, errorMs } = samples.reduce((best, each) => (each.errorMs < best.errorMs ? each : best));
  return outcomeOf(Math.abs(skewMs) > TOLERATED_SKEW_MS + errorMs ? [{ code: 'clock_skewed', skewMs }] : []);
}

/** The database's clock was read somewhere between the two moments: half way, or so much off as half of it. */
async function compare({ clock, storeProbe }: ClockPorts) {
  const before = clock.now();
  const theirs = await storeProbe.now();
  const errorMs = (clock.now() - before) / 2;
  return { skewMs: Math.round(before + errorMs - theirs), errorMs };
}
