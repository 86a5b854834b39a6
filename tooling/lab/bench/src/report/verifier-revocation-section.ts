import type { VerifierRevocation } from '../parts/verifier/revocation/measure-revocation.ts';
import { percentile } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { figure } from './markdown.ts';

/** The age in milliseconds that knowledge did not exceed at this share of the checks. */
function ageAt({ checks, ages }: VerifierRevocation['count'], share: number): number {
  let left = checks * share;
  return ages.findIndex((count) => {
    left -= count;
    return left <= 0;
  });
}

export function verifierRevocationSection(revocation: VerifierRevocation, othersShare: number): string {
  const { servers, verifiers, ratePerServer, delaysMs, count } = revocation;
  const after = delaysMs.filter((delayMs) => delayMs > 0).length;
  return `## A revoked token in services

${figure(verifiers)} verifiers follow ${servers} servers, which received ${figure(ratePerServer)} other requests a second each. ${figure(delaysMs.length)} tokens were revoked by the domain's use case in another process, one after the other. Before each revocation, every verifier remembered the token. Every 4 ms, each verifier checked it. The time is that from the acknowledgement of the revocation until the last verifier accepted the token for the last time.

Meanwhile, each verifier checked a token that stayed good, ${figure(count.checks)} times together. If its knowledge is too old, a verifier asks Gatehouse instead of deciding from memory.

${place(othersShare)}

${barsTable([
  atMost('a revoked token is accepted, 99 % of them (p99)', 100, 'ms', percentile(delaysMs, 0.99), 25),
  atMost('all of them', 1_000, 'ms', percentile(delaysMs, 1), 100),
  atMost('checks at which knowledge is too old', 0.1, '%', (100 * count.undecided) / count.checks, 0.01),
  atMost('age of knowledge at a check (p99)', 600, 'ms', ageAt(count, 0.99), 350),
])}

In ${figure(delaysMs.length - after)} of ${figure(delaysMs.length)} revocations, no verifier accepted the token after the acknowledgement. In half of all, it was accepted for ${figure(percentile(delaysMs, 0.5))} ms or less. Half of all checks found knowledge of ${ageAt(count, 0.5)} ms or less. One timer in a hundred of the verifiers' processes was late by ${figure(count.timersLateMs)} ms or more.`;
}
