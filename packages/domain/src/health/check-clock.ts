import type { Ports } from '../ports.ts';
import { defineCheck, outcomeOf, seconds } from './check.ts';

/** Servers decide expiries by their own clocks, and the database records times by its clock. In milliseconds. */
const TOLERATED_SKEW_MS = 1000;
const SAMPLES = 3;

type ClockPorts = Ports<'clock' | 'storeProbe'>;

/** The database read its clock at some time during the round trip: in the middle, give or take half of it. */
async function compare({ clock, storeProbe }: ClockPorts) {
  const before = clock.now();
  const theirs = await storeProbe.now();
  const errorMs = (clock.now() - before) / 2;
  // How far this machine's clock is ahead of the database's; negative if behind.
  return { skewMs: Math.round(before + errorMs - theirs), errorMs };
}

/** Compares this machine's clock with the database's, as exactly as the round trip allows. */
export const clockCheck = defineCheck({
  id: 'clock',
  passed: "This machine's clock and the database's agree.",
  name: 'the clocks',
  needsSchema: false,
  async run(ports: ClockPorts) {
    const samples = [];
    for (let count = 0; count < SAMPLES; count += 1) samples.push(await compare(ports));
    const { skewMs, errorMs } = samples.reduce((best, each) => (each.errorMs < best.errorMs ? each : best));
    const isSkewed = Math.abs(skewMs) > TOLERATED_SKEW_MS + errorMs;
    return outcomeOf(isSkewed ? [{ code: 'clock_skewed', skewMs }] : []);
  },
  findings: {
    clock_skewed: ({ skewMs }) => ({
      message: `This machine's clock is ${seconds(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the database's.`,
      remedy: 'Set both by the same time servers (NTP): tokens expire by these clocks.',
    }),
  },
});
