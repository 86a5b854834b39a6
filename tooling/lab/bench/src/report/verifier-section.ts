import type { GuardSample } from '../parts/verifier/guard-cost.ts';
import { GUARDS, type Guard } from '../parts/verifier/guarded-services.ts';
import type { VerifierCost } from '../parts/verifier/verifier.ts';
import { ratios, type Spread, spread } from '../statistics.ts';
import { atLeast, atMost, barsTable } from './bars.ts';
import type { ChartRow } from './chart.ts';
import { figure, markdownTable, withSpread } from './markdown.ts';

const IDS = Object.keys(GUARDS) as readonly Guard[];
const of = (samples: readonly GuardSample[], part: keyof GuardSample) =>
  samples.map((sample) => sample[part]);

/** The CPU of a request with all that works for it, in microseconds. */
export const guardRows = ({ guards }: VerifierCost): readonly ChartRow[] =>
  IDS.map((id) => ({
    label: GUARDS[id].replaceAll('`', ''),
    value: spread(of(guards[id], 'total')).middle,
    ours: id === 'verifier' || id === 'gatehouse',
  }));

const timesVerifier = ({ guards }: VerifierCost, id: Guard): Spread =>
  spread(ratios(of(guards[id], 'total'), of(guards.verifier, 'total')));

export function verifierSection(cost: VerifierCost, chart: string, where: string): string {
  const { checks, pairs, guards } = cost;
  const added = spread(ratios(pairs.verifier, pairs.bare));
  const perSecond = spread(checks.checkMicroseconds.map((microseconds) => 1e6 / microseconds));
  return `## Services that verify tokens

This part measures what [\`@gatehouse/verifier\`](../../packages/verifier/README.md) costs in a service:

- **Checks.** A process remembers ${figure(checks.tokens)} tokens, each of another user, and checks each of them once a round with \`verifyNow\`, in random order, from the headers of a request. A check takes ${withSpread(spread(checks.checkMicroseconds), ' µs')} of CPU. The SHA-256 of the token, which is its key in memory, takes ${withSpread(spread(checks.keyMicroseconds), ' µs')} of it. There were ${checks.checkMicroseconds.length} rounds.
- **Requests.** A service on bare \`node:http\` with a constant answer gets the verifier. ${pairs.bare.length} pairs of services, with and without, were started and got load by turns. A request then takes ${withSpread(added)} times the CPU, as the median of the pairs. The token is always the same.
- **Other ways.** The same service checks tokens in the ways of the table below.

${where}

![CPU of one request to a service](${chart})

${markdownTable(
  [
    'check',
    'CPU of all, µs',
    'of the service',
    'of the server asked',
    'of its database',
    'x verifier',
    'p50, ms',
  ],
  IDS.map((id) => [
    GUARDS[id],
    ...(['total', 'service', 'authority', 'database'] as const).map((part) => {
      const measured = spread(of(guards[id], part));
      return measured.high === 0 ? '' : withSpread(measured);
    }),
    withSpread(timesVerifier(cost, id)),
    withSpread(spread(of(guards[id], 'p50Ms'))),
  ]),
)}

- **The signature alone** is checked by Node's own \`verify\`, with Ed25519. Such a service never hears of a revocation.
- **oidc-provider** is an authorization server of the npm registry. It keeps everything in memory, so it needs no database, and a restart loses its tokens.

${barsTable([
  atLeast('checks, by CPU time', 300_000, '/s', perSecond, 600_000),
  atMost('CPU of a request with the verifier, to bare `node:http`', 1.15, 'x', added, 1.08),
  atMost('heap for a remembered token', 1, 'KB', checks.bytesPerToken / 1000, 0.5),
  atLeast(
    'CPU, introspection at oidc-provider, to the verifier',
    20,
    'x',
    timesVerifier(cost, 'oidc-provider'),
    50,
  ),
])}`;
}
