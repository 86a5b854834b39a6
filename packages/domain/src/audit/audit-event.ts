import type { AccountId } from '../accounts/account.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenId } from '../tokens/token.ts';
import type { UserId } from '../users/user.ts';

/** Who made a change. */
export type Actor =
  | { readonly kind: 'operator'; readonly name: string }
  | { readonly kind: 'user'; readonly id: UserId }
  /** The use of the token made the change; its bearer did not ask for it. */
  | { readonly kind: 'token'; readonly id: TokenId };

export const AUDIT_ACTIONS = [
  'account.created',
  'account.suspended',
  'account.resumed',
  'user.created',
  'user.disabled',
  'user.enabled',
  'user.role_set',
  'user.password_set',
  'organization.created',
  'organization.updated',
  'organization.deleted',
  'organization.member_added',
  'organization.member_removed',
  'token.created',
  'token.updated',
  'token.revoked',
  'token.transferred',
  'token.rotated',
  'token.replaced',
  'token.pruned',
  'session.created',
  'session.ended',
  'key.created',
  'key.activated',
  'key.retired',
  'key.rewrapped',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type SubjectOf<Action> = Action extends `${infer Type}.${string}` ? Type : never;

export type AuditSubjectType = SubjectOf<AuditAction>;

/** One change: who made it, when, to what and from where. It is never changed or deleted. */
export interface AuditEvent {
  readonly at: Instant;
  readonly actor: Actor;
  /** The IP address of a request, or the machine's name for the command line. */
  readonly origin: string;
  readonly action: AuditAction;
  readonly subject: { readonly type: AuditSubjectType; readonly id: string };
  /** The subject's account; null for signing keys, which have none. */
  readonly accountId: AccountId | null;
  /** Additional facts such as names and states, never a secret. */
  readonly details: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}
