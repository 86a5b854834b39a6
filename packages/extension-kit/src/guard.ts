import type { GuardedAction, GuardedRequests, GuardFacts } from '@gatehouse/domain/guards';
import type { Refusal } from './refusals.ts';

/** A guard of one action. */
interface GuardOf<Action extends GuardedAction> {
  readonly on: Action;
  /** The refusals that it may return. They are among the `refusals` of the extension. */
  readonly refusals: readonly Refusal[];
  /**
   * Returns one of its `refusals` to forbid the request, and undefined to allow it. It is asked before the
   * transaction, with no database, and must answer within 100 ms. If it throws or takes longer, the request is refused
   * as if Gatehouse were unavailable (503), with the name of the extension.
   */
  check(
    request: GuardedRequests[Action],
    facts: GuardFacts,
  ): Promise<Refusal | undefined> | Refusal | undefined;
}

/** Forbids an action of Gatehouse, such as the creation of a token. A guard can forbid, but neither allow nor change. */
export type Guard = { [Action in GuardedAction]: GuardOf<Action> }[GuardedAction];

/**
 * Checks that guards forbid only by refusals of their extension.
 *
 * @throws TypeError if a refusal of a guard is not among those of the extension
 */
export function checkGuards(
  extension: string,
  guards: readonly Guard[],
  refusals: Readonly<Record<string, Refusal>>,
): void {
  for (const { on, refusals: own } of guards) {
    const foreign = own.find(({ code }) => refusals[code] === undefined);
    if (foreign)
      throw new TypeError(
        `${extension}: the guard of ${on} needs ${foreign.code}, which \`refusals\` must describe`,
      );
  }
}
