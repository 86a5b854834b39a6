import type { AccountId } from '../accounts/account.ts';
import type { Actor } from '../audit/audit-event.ts';
import type { RefusalReason } from '../tokens/refusal-reasons.ts';
import type { Role, UserId } from '../users/user.ts';
import type { Scope } from './rules.ts';

/** Takes the place of scopes for a user who acts without a token. */
export const IN_PERSON = 'in person';

/** A user who is acting, in person or through a token. */
export interface Principal {
  readonly kind: 'user';
  readonly userId: UserId;
  readonly accountId: AccountId;
  /** The current role of the user. The role may have been another one when the token was made. */
  readonly role: Role;
  readonly scopes: readonly Scope[] | typeof IN_PERSON;
  /** The origin of the request: an IP address, or the name of the machine for a command. */
  readonly origin: string;
  /** The name of the operator who acts for the user, by `--as`; absent if the user acts. */
  readonly operator?: string;
}

/** The operator of the service, who runs the command line on its machine. */
export interface Operator {
  readonly kind: 'operator';
  readonly name: string;
  readonly origin: string;
}

/** A caller whose token was not accepted. Every use case refuses it, so no route can forget to. */
export interface RefusedCaller {
  readonly kind: 'refused';
  /** The reason, for the log only: every refusal has the same response. */
  readonly reason: RefusalReason;
}

export type Caller = Principal | Operator | RefusedCaller;

/** Returns the actor for the audit log. If an operator acts for a user, the actor contains both. */
export function actorOf(caller: Principal | Operator): Actor {
  if (caller.kind === 'operator') return { kind: 'operator', name: caller.name };
  const { operator: name, userId: id } = caller;
  return name === undefined ? { kind: 'user', id } : { kind: 'operator', name, for: id };
}
