import type { AuditEvent } from '@gatehouse/domain/audit';
import {
  byAccount,
  type Delivery,
  type Reaction,
  type ReactionName,
  USUAL_PLAN,
} from '@gatehouse/domain/reactions';
import type { Extension } from '@gatehouse/extension-kit';

/**
 * The largest number of accounts whose events a reaction of an extension handles at the same time. It may call use cases,
 * which have three connections to the database.
 */
const CONCURRENCY = 2;

/**
 * Returns the reactions of an extension. A server runs them with the use cases that are made at their first event.
 *
 * @throws TypeError if a reaction waits for an action that this installation does not have
 */
export function reactionsOf<UseCases>(
  extension: Pick<Extension<unknown, UseCases>, 'name' | 'reactions'>,
  useCases: UseCases,
  actions: readonly string[],
): readonly Reaction[] {
  return (extension.reactions ?? []).map((reaction): Reaction => {
    const { on } = reaction;
    const name = `${extension.name}/${reaction.name}` as ReactionName;
    const unknown = on.find((action) => !actions.includes(action));
    if (unknown !== undefined)
      throw new TypeError(
        `the reaction ${name} waits for ${unknown}, which no resource of this installation has`,
      );
    return {
      name,
      on,
      plan: { ...USUAL_PLAN, concurrency: CONCURRENCY },
      // A reaction does not get the events that it causes. Otherwise it could go on for ever by itself.
      address: (events) => byAccount(events.filter(({ event }) => !isBy(event, name))),
      async handle({ event, position }: Delivery) {
        const caller = { kind: 'operator', name, origin: 'gatehouse' } as const;
        const signal = AbortSignal.timeout(USUAL_PLAN.deadlineMs);
        await reaction.handle({ ...event, position }, { useCases, caller, signal });
        return { kind: 'done' };
      },
    };
  });
}

/** Whether a reaction caused the event. No operator has the name of a reaction, which has a slash. */
function isBy({ actor }: AuditEvent, name: ReactionName): boolean {
  return actor.kind === 'operator' && actor.name === name;
}
