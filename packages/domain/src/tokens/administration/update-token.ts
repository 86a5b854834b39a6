import { authorized, type Principal, UPDATE_TOKENS } from '../../access/index.ts';
import { eventBy } from '../../audit/event-by.ts';
import type { Ports } from '../../ports.ts';
import { ok } from '../../result.ts';
import { checkName } from '../../text.ts';
import { wholeSecond } from '../../time/instant.ts';
import { type End, endFrom } from '../issuing/expiry.ts';
import type { TokenId } from '../token.ts';
import { tokenUpdated } from '../token-events.ts';
import { findToken } from './find-token-by-reference.ts';
import { checkDescription } from './token-description.ts';
import { tokenStatus } from './token-status.ts';

export interface UpdateTokenInput {
  readonly id: TokenId;
  readonly name?: string | undefined;
  /** The new expiry, which must not be later than the current expiry. */
  readonly expiry?: End | undefined;
  /** An empty text removes the description. */
  readonly description?: string | undefined;
}

/**
 * Renames an API token of the caller's account, makes its expiry earlier, or changes its description, all in one step.
 * The token must be neither revoked nor expired. The signed token stays the same. Returns the record before and after
 * the change. If the two records are equal, nothing was changed, and the audit log has no event.
 */
export const updateToken = authorized(
  UPDATE_TOKENS,
  ({ tokens, clock }: Ports<'tokens' | 'clock'>) =>
    async (caller: Principal, { id, ...input }: UpdateTokenInput) => {
      const found = await findToken(tokens, caller, UPDATE_TOKENS, id);
      if (!found.ok) return found;
      const name = input.name === undefined ? ok(undefined) : checkName('name', input.name);
      if (!name.ok) return name;
      const description =
        input.description === undefined ? ok(undefined) : checkDescription(input.description);
      if (!description.ok) return description;
      const now = clock.now();
      const end = input.expiry === undefined ? ok(undefined) : endFrom(now, input.expiry);
      if (!end.ok) return end;

      // Every token expires at a whole second.
      const expiresAt = end.value === undefined ? undefined : wholeSecond(end.value);
      const changes = { name: name.value, expiresAt, description: description.value };
      const updated = await tokens.update(id, changes, now, (before, after) =>
        eventBy(caller, tokenUpdated(before, after, now)),
      );
      if (!updated.ok) return updated;
      const { before, after } = updated.value;
      return ok({ before: tokenStatus(before, now), after: tokenStatus(after, now) });
    },
);
