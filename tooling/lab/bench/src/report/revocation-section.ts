import type { Revocation } from '../parts/revocation/revocation.ts';
import { percentile } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { figure } from './markdown.ts';

/** The limits for a system without failures, whatever its size. */
function revocationTable({ delaysMs }: Revocation): string {
  return barsTable([
    atMost('half of them (p50)', 50, 'ms', percentile(delaysMs, 0.5)),
    atMost('99 % of them (p99)', 250, 'ms', percentile(delaysMs, 0.99)),
    atMost('all of them', 1_000, 'ms', percentile(delaysMs, 1)),
  ]);
}

export function revocationSection(revocation: Revocation): string {
  const { nodes, ratePerNode, delaysMs } = revocation;
  const after = delaysMs.filter((delayMs) => delayMs > 0).length;
  return `## A revoked token

This part measures the time from the acknowledgement of a revocation until the client received the last response that still accepted the token. The token was cached on ${nodes} nodes, and each node received ${figure(ratePerNode)} other requests a second. ${figure(delaysMs.length)} tokens were revoked by the domain's use case in another process, while every node received requests with the token without a pause.

${place()}

${revocationTable(revocation)}

In ${figure(delaysMs.length - after)} of ${figure(delaysMs.length)} revocations, no node accepted the token after the acknowledgement. In the other ${figure(after)}, a node accepted it for the times in the table above.

There were no failures during this measurement. [reliability.md](reliability.md) has measurements during failures. [ADR 9](../adr/0009-coherent-caches.md#exceptions) lists the failures in which a node may accept a revoked token for longer.`;
}
