import { type Change, changed, type Facts } from './facts.ts';

/** A database server that accepts writes: the facts after each change, and how far each change came. */
export interface Primary {
  readonly name: string;
  readonly facts: Facts[];
  readonly changes: Committed[];
}

/** A change that readers see. PostgreSQL then signals each listener, and acknowledges the change last. */
export interface Committed {
  readonly change: Change;
  readonly visibleAt: number;
  /** For each server, whether its listening connection was signalled. One may be long before the other. */
  readonly signalled: boolean[];
  acknowledgedAt: number;
}

export const visible = ({ facts }: Primary): Facts => facts.at(-1) as Facts;

export function commit(primary: Primary, change: Change, visibleAt: number, servers: number): void {
  primary.facts.push(changed(visible(primary), change));
  const signalled = Array.from({ length: servers }, () => false);
  primary.changes.push({ change, visibleAt, signalled, acknowledgedAt: Number.POSITIVE_INFINITY });
}

/** How many changes a server was signalled. They are signalled in their order. */
export function signalledTo(server: number, { changes }: Primary): number {
  const waiting = changes.findIndex(({ signalled }) => !signalled[server]);
  return waiting < 0 ? changes.length : waiting;
}

/** A standby is promoted that has every change. It signals none of them, because no server listens yet. */
export const promoted = ({ facts, changes }: Primary): Primary => ({
  name: 'second',
  facts: [...facts],
  changes: changes.map((each) => ({ ...each, signalled: each.signalled.map(() => true) })),
});
