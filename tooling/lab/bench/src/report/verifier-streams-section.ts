import type { StreamCost } from '../parts/verifier/streams/measure-streams.ts';
import { type Spread, spread } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { figure } from './markdown.ts';

export function verifierStreamsSection(cost: StreamCost, othersShare: number): string {
  const { streams, services, idleShare, proofShare, openMs, bytesPerSecond } = cost;
  const proofs = percentOf(spread(proofShare));
  return `## Streams of changes

${figure(streams)} streams of ${figure(services)} services are open at one server, and nothing changes. Each stream gets a proof four times a second. The figures are the CPU of the server, without the ${figure(spread(idleShare).middle * 100)} % of a core that it uses without streams. A verifier opens a stream every 8 seconds, so ${figure(streams)} verifiers cost the proofs and ${figure(streams / 8)} openings a second. The figure for an opening includes the end of the stream.

${place(othersShare)} There were ${proofShare.length} rounds. A figure is the median over the rounds, with the range of half of the rounds in brackets.

${barsTable([
  atMost(`proofs to ${figure(streams)} idle verifiers`, 15, '% of a core', proofs, 6),
  atMost('opening a stream', 1, 'ms', spread(openMs), 0.3),
])}

A stream gets ${figure(spread(bytesPerSecond).middle)} bytes a second.`;
}

const percentOf = ({ low, middle, high }: Spread): Spread => ({
  low: low * 100,
  middle: middle * 100,
  high: high * 100,
});
