import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import type { Ports } from '../ports.ts';
import type { Reaction } from './reaction.ts';
import type { HolderId } from './reaction-repository.ts';
import { sealedEventsAfter } from './sealed-events.ts';

export type AdvancePorts = Ports<'reactions' | 'auditSeals' | 'clock'>;

/**
 * Puts the events of one seal into the lanes that the reaction chooses, and moves it behind them. Returns the new
 * position; undefined if there is nothing to address, `lost` if the reaction is held by another process or was moved.
 */
export async function advanceReaction(
  ports: AdvancePorts,
  { name, on, address }: Reaction,
  { holder, from }: { readonly holder: HolderId; readonly from: AuditPosition | 0 },
): Promise<AuditPosition | 'lost' | undefined> {
  const step = await sealedEventsAfter(ports, from);
  if (!step) return undefined;
  const wanted = on === 'all' ? step.events : step.events.filter(({ event }) => on.includes(event.action));
  const addressed = wanted.length === 0 ? [] : await address(wanted);
  const { to } = step;
  const now = ports.clock.now();
  return (await ports.reactions.advance(name, holder, { from, to, addressed, now })) ? to : 'lost';
}
