import { describeMachine } from '@gatehouse/faults';
import type { Cores } from '../machine/cores.ts';
import type { Effort } from '../options.ts';

/**
 * Says when and where something was measured: figures of two machines are not comparable.
 *
 * @param othersShare the share of the cores that other programs used meanwhile
 */
export function place(othersShare?: number): string {
  const where = `The figures of this part were measured on ${new Date().toISOString().slice(0, 10)} on ${describeMachine()}.`;
  if (othersShare === undefined) return where;
  return `${where} Meanwhile, other programs used ${Math.round(othersShare * 100)} % of the cores.`;
}

/** Says in one paragraph how the figures of a table were measured. */
export function provenance(
  cores: Cores | undefined,
  { rounds, seconds }: Effort,
  othersShare?: number,
): string {
  const pinned = cores
    ? 'The server had one core to itself. The load generator and the database shared the other cores.'
    : 'Servers, load and database shared all cores (`taskset` or a second core is missing), so the figures are less precise.';
  return `${place(othersShare)} ${pinned} There were ${rounds} rounds of ${seconds} s each. A figure is the median over the rounds, with the range of half of the rounds in brackets. A ratio is the median of the ratios within each round.`;
}
