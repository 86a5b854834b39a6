import { authorized, MANAGE_REACTIONS } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import type { Ports } from '../ports.ts';
import { err, invalid, ok } from '../result.ts';
import type { DeliveryId, ReactionName } from './reaction.ts';
import type { StuckDelivery } from './reaction-repository.ts';
import { lastSealedPosition } from './sealed-events.ts';

/** Lists how far every reaction is, by name. */
export const listReactions = authorized(
  MANAGE_REACTIONS,
  ({ reactions }: Ports<'reactions'>) =>
    async () =>
      ok(await reactions.list()),
);

/** Shows a reaction, with up to `limit` of its events that are parked or are tried again. */
export const showReaction = authorized(
  MANAGE_REACTIONS,
  ({ reactions }: Ports<'reactions'>) =>
    async (_, { name, limit }: { readonly name: ReactionName; readonly limit: number }) => {
      const state = (await reactions.list()).find((each) => each.name === name);
      if (!state) return err({ code: 'reaction_not_found' });
      return ok({ state, stuck: await reactions.findStuck({ reaction: name, limit }) });
    },
);

type ChangePorts = Ports<'reactions' | 'clock'>;

interface DeliveryInput {
  readonly name: ReactionName;
  readonly id: DeliveryId;
}

/** Tries a parked event again, or does not wait for the next try of a failed one. */
export const retryDelivery = authorized(
  MANAGE_REACTIONS,
  ({ reactions, clock }: ChangePorts) =>
    async (caller, { name, id }: DeliveryInput) => {
      const at = clock.now();
      return reactions.retry(name, id, at, (stuck) =>
        eventBy(caller, eventOf(at, 'reaction.retried', { id: name }, detailsOf(stuck))),
      );
    },
);

/** Gives up a parked or failed event for good. */
export const skipDelivery = authorized(
  MANAGE_REACTIONS,
  ({ reactions, clock }: ChangePorts) =>
    async (caller, { name, id }: DeliveryInput) => {
      const at = clock.now();
      return reactions.skip(name, id, at, (stuck) =>
        eventBy(caller, eventOf(at, 'reaction.skipped', { id: name }, detailsOf(stuck))),
      );
    },
);

const detailsOf = ({ position, lane, event, tries, problem }: StuckDelivery) => ({
  position,
  lane,
  action: event.action,
  tries,
  problem,
});

/**
 * Moves a reaction. Events after the new position are addressed next: again if it moves back, and those that it passes
 * never if it moves on. `now` is the position of the last sealed event.
 */
export const moveReaction = authorized(
  MANAGE_REACTIONS,
  (ports: ChangePorts & Ports<'auditSeals'>) =>
    async (caller, { name, to }: { readonly name: ReactionName; readonly to: AuditPosition | 0 | 'now' }) => {
      const last = await lastSealedPosition(ports);
      const target = to === 'now' ? last : to;
      if (target > last) return invalid('to', `must be at most ${last}, where the audit log ends`);
      const at = ports.clock.now();
      const moved = await ports.reactions.move(name, target, (from) =>
        eventBy(caller, eventOf(at, 'reaction.moved', { id: name }, { from, to: target })),
      );
      return moved.ok ? ok({ position: target }) : moved;
    },
);

/** Deletes a reaction that no server has now, with the events that wait for it. */
export const removeReaction = authorized(
  MANAGE_REACTIONS,
  ({ reactions, clock }: ChangePorts) =>
    async (caller, name: ReactionName) => {
      const at = clock.now();
      return reactions.remove(name, ({ position, waiting, parked }) =>
        eventBy(caller, eventOf(at, 'reaction.removed', { id: name }, { position, waiting, parked })),
      );
    },
);
