import type { Ports } from '../ports.ts';
import { compareClocks, isSkewed } from '../time/clock.ts';
import { defineCheck, outcomeOf, seconds } from './check.ts';

const SAMPLES = 3;

type ClockPorts = Ports<'clock' | 'storeProbe'>;

async function compare({ clock, storeProbe }: ClockPorts) {
  const before = clock.now();
  const theirs = await storeProbe.now();
  return compareClocks(before, theirs, clock.now());
}

/**
 * Compares this machine's clock with the database's clock several times. Only the comparison whose query took the
 * shortest time counts, because it is the most exact.
 */
export const clockCheck = defineCheck({
  id: 'clock',
  passed: 'The clocks of this machine and of the database agree.',
  name: 'the clocks',
  needsSchema: false,
  async run(ports: ClockPorts) {
    const samples = [];
    for (let count = 0; count < SAMPLES; count += 1) samples.push(await compare(ports));
    const best = samples.reduce((closest, each) => (each.errorMs < closest.errorMs ? each : closest));
    return outcomeOf(isSkewed(best) ? [{ code: 'clock_skewed', skewMs: best.skewMs }] : []);
  },
  findings: {
    clock_skewed: ({ skewMs }) => ({
      message: `This machine's clock is ${seconds(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} the database's clock, so tokens can expire too early or too late.`,
      remedy: 'Set both clocks by the same time servers (NTP).',
    }),
  },
});
