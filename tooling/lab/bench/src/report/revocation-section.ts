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

The time from the acknowledgement of a revocation to the arrival of the last response that still accepted the token, on any of ${nodes} nodes that had it in memory, each under ${figure(ratePerNode)} other requests a second. ${figure(delaysMs.length)} tokens were revoked by the domain's use case in a process of its own, while every node got requests without a pause. The time includes the way of the response back to the client. ${place()}

${revocationTable(revocation)}

In ${figure(delaysMs.length - after)} of ${figure(delaysMs.length)} revocations no node accepted the token after the acknowledgement. In the other ${figure(after)} a node accepted it for the times above. This part measures servers without failures, where every server refuses a revoked token within milliseconds of the acknowledgement; [reliability.md](reliability.md) has the measurements during failures, and [ADR 9](../adr/0009-coherent-caches.md#exceptions) names the exceptions.`;
}
