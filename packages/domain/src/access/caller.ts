import type { AccountId } from '../accounts/account.ts';
import type { Actor } from '../audit/audit-event.ts';
import type { ServiceName } from '../services/service.ts';
import type { CredentialHash } from '../services/service-credential.ts';
import type { RefusalReason } from '../tokens/refusal-reasons.ts';
import type { Role, UserId } from '../users/user.ts';
import type { Scope } from './rules.ts';

/** The value of `scopes` for a user who acts without a token. Scopes do not limit this user. */
export const IN_PERSON = 'in person';

/** A caller that is a user, either in person or through a token. */
export interface Principal {
  readonly kind: 'user';
  readonly userId: UserId;
  readonly accountId: AccountId;
  /** The current role of the user. The role may have been another one when the token was made. */
  readonly role: Role;
  readonly scopes: readonly Scope[] | typeof IN_PERSON;
  /** The client's IP address for a request, or the name of the machine for a command. */
  readonly origin: string;
  /** The name of the operator who acts for the user by the option `--as`; absent if no operator acts for the user. */
  readonly operator?: string;
}

/** The operator of the service, who runs commands on the machine of the service. */
export interface Operator {
  readonly kind: 'operator';
  readonly name: string;
  readonly origin: string;
}

/** A service that proved what it is by a credential. */
export interface ServiceCaller {
  readonly kind: 'service';
  readonly service: ServiceName;
  /** The hash of the credential. Use cases that read from the database check with it that the credential is still accepted. */
  readonly credential: CredentialHash;
  /** The IP address of the service. */
  readonly origin: string;
}

/** A caller whose token or credential was not accepted. Every use case refuses this caller, so a route need not check the token. */
export interface RefusedCaller {
  readonly kind: 'refused';
  /** The reason for the refusal. Only the log shows the reason: the response is the same for all reasons. */
  readonly reason: RefusalReason;
}

export type Caller = Principal | Operator | ServiceCaller | RefusedCaller;

/** Returns the actor for the audit log. If an operator acts for a user, the actor contains both. */
export function actorOf(caller: Principal | Operator): Actor {
  if (caller.kind === 'operator') return { kind: 'operator', name: caller.name };
  const { operator: name, userId: id } = caller;
  return name === undefined ? { kind: 'user', id } : { kind: 'operator', name, for: id };
}
