import type { AroundChange, EverythingChanged } from '../parts/verifier/everything/measure-everything.ts';
import { ratios, spread } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { figure, markdownTable, withSpread } from './markdown.ts';

const p99 = (around: readonly AroundChange[], when: keyof AroundChange) =>
  around.map((each) => each[when].p99Ms);
const ratio = (around: readonly AroundChange[]) =>
  spread(ratios(p99(around, 'after'), p99(around, 'before')));

export function verifierEverythingSection(changed: EverythingChanged, othersShare: number): string {
  const { verifiers, tokens, checksPerSecond, rate, seconds, alone, withVerifiers, questions } = changed;
  const row = (who: string, around: readonly AroundChange[]) => [
    who,
    withSpread(spread(p99(around, 'before'))),
    withSpread(spread(p99(around, 'after'))),
    withSpread(ratio(around)),
  ];
  return `## After a change of everything

If a server does not know what changed, it tells \`all\`, and every verifier asks again about what it remembers. Here, ${figure(verifiers)} verifiers follow one server. Each remembers ${figure(tokens)} tokens and checks ${checksPerSecond} of them a second. Meanwhile, ${figure(rate)} look-ups of others a second reach the same server, for ${seconds} s before the change and for ${seconds} s after it. The server's own caches are empty after the change as well, so the same is measured without verifiers.

${place(othersShare)} There were ${withVerifiers.length} rounds. A ratio is the median of the ratios within each round.

${markdownTable(
  ['look-ups of others', 'p99 before, ms', 'p99 after, ms', 'ratio'],
  [row('without verifiers', alone), row(`with ${figure(verifiers)} verifiers`, withVerifiers)],
)}

${barsTable([atMost('p99 of look-ups of others, after to before', 2, 'x', ratio(withVerifiers), 1.2)])}

After the change, the verifiers sent ${figure(spread(questions).middle)} requests to introspect, while others looked up ${figure(rate * seconds)} times.`;
}
