import type { Operator } from '@gatehouse/domain/access';
import type { AuditAction, AuditEvent } from '@gatehouse/domain/audit';

/** A sealed event of the audit log. */
export interface HappenedEvent extends AuditEvent {
  /** The number of the event in the audit log. It is the same if the event is handled again. */
  readonly position: number;
}

/** The tools of a reaction. */
export interface ReactionTools<UseCases> {
  /** The use cases of the extension. */
  readonly useCases: UseCases;
  /** The caller for these use cases: an operator with the name of the reaction, such as `shift-notes/post`. */
  readonly caller: Operator;
  /** Aborted when the time for this try is over, after 15 seconds. Give it to `fetch`. */
  readonly signal: AbortSignal;
}

/**
 * A function that servers call when something has happened. Each event is handled at least once, after its transaction was
 * committed, and the events of one account in order. If `handle` rejects, it is called again after 1 second, and with
 * longer pauses up to 20 times in all. The same event may come twice: `position` tells it from a new one.
 */
export interface Reaction<UseCases> {
  /** In lower case with dashes, such as `post`. Do not change it: a reaction with a new name begins with new events. */
  readonly name: string;
  /** The actions of the events, of Gatehouse or of an extension, such as `token.revoked`. */
  readonly on: readonly AuditAction[];
  handle(event: HappenedEvent, tools: ReactionTools<UseCases>): Promise<void>;
}

/**
 * Checks the names of an extension's reactions.
 *
 * @throws TypeError if a name is invalid, or two reactions have the same one
 */
export function checkReactionNames(extension: string, reactions: readonly { readonly name: string }[]): void {
  const names = new Set<string>();
  for (const { name } of reactions) {
    if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) {
      throw new TypeError(
        `${extension}: the reaction ${JSON.stringify(name)} needs a name in lower case with dashes`,
      );
    }
    if (names.has(name)) throw new TypeError(`${extension}: two reactions have the name ${name}`);
    names.add(name);
  }
}
