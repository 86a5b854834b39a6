import type { Machine } from '../machine/machine.ts';
import type { Effort } from '../options.ts';

/** One paragraph on where a table comes from. */
export function provenance(machine: Machine, { rounds, seconds }: Effort): string {
  const place = machine.pinned
    ? 'The server had one core to itself; load and database shared the rest.'
    : 'Servers, load and database shared all cores (`taskset` or a second core is missing), so this says less.';
  return `${describePlace(machine)} ${place} ${rounds} rounds of ${seconds} s each; figures are medians over the rounds, ratios medians of the ratios within each round.`;
}

export function describePlace(machine: Machine): string {
  const { processor, cores, memoryGigabytes, node, system, date } = machine;
  return `Measured on ${date} on ${cores} cores of ${processor} with ${memoryGigabytes} GB of memory, ${system}, Node ${node}.`;
}
