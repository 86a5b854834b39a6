import type { AccountId } from '../accounts/account.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenId } from '../tokens/token.ts';
import type { UserId } from '../users/user.ts';

/** The person or program that made a change. */
export type Actor =
  | {
      readonly kind: 'operator';
      readonly name: string;
      /** The user for whom the operator acted, given by the option `--as`. */
      readonly for?: UserId;
    }
  | { readonly kind: 'user'; readonly id: UserId }
  /** A token whose first use caused the change. No client requested the change. */
  | { readonly kind: 'token'; readonly id: TokenId }
  /** Gatehouse itself, when a time has come. No client requested the event. */
  | { readonly kind: 'system' };

/**
 * The kind of a change, such as `token.revoked`: the type of the subject, and a verb. The definition of each resource
 * lists its actions.
 */
export type AuditAction = `${string}.${string}`;

/**
 * The record of one change: who made the change, when, to what and from where. An event never changes, and is deleted
 * only after an export.
 */
export interface AuditEvent {
  readonly at: Instant;
  readonly actor: Actor;
  /** The client's IP address if the change was a request, or the machine's name if it was a command. */
  readonly origin: string;
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  /** The subject's account; null for signing keys, which have none. */
  readonly accountId: AccountId | null;
  /** Additional facts such as names and states, never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}
