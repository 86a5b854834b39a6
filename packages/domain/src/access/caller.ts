import type { AccountId } from '../accounts/account.ts';
import type { Actor } from '../audit/audit-event.ts';
import type { RefusalReason } from '../tokens/refusal-reasons.ts';
import type { Role, UserId } from '../users/user.ts';
import type { Scope } from './scope.ts';

/** Instead of scopes, where no token narrows what the user may do. */
export const IN_PERSON = 'in person';

/** A user who is acting, in person or through a token. */
export interface Principal {
  readonly kind: 'user';
  readonly userId: UserId;
  readonly accountId: AccountId;
  /** The user's role now, not when the token was made. */
  readonly role: Role;
  readonly scopes: readonly Scope[] | typeof IN_PERSON;
  /** Where the caller speaks from: an IP address, or the machine's name on the command line. */
  readonly origin: string;
}

/** Whoever runs the service: may use the command line on its machine. */
export interface Operator {
  readonly kind: 'operator';
  readonly name: string;
  readonly origin: string;
}

/** Someone whose token was not accepted. Every use case refuses it, so that no route can forget to. */
export interface RefusedCaller {
  readonly kind: 'refused';
  /** For the record, never for the answer: all refusals look the same from outside. */
  readonly reason: RefusalReason;
}

export type Caller = Principal | Operator | RefusedCaller;

/** How the audit log names a caller. */
export function actorOf(caller: Principal | Operator): Actor {
  return caller.kind === 'operator'
    ? { kind: 'operator', name: caller.name }
    : { kind: 'user', id: caller.userId };
}
