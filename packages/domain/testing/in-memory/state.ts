import type { Account, AccountId } from '../../src/accounts/index.ts';
import {
  type AuditEvent,
  type AuditPosition,
  type AuditSeal,
  actingUser,
  type SealKey,
} from '../../src/audit/index.ts';
import type { Change } from '../../src/changes/index.ts';
import type { Attempt, AttemptHash, SignInMeans } from '../../src/identity-providers/index.ts';
import type { InvitationId, NewInvitation, NewResetLink, PasswordReset } from '../../src/links/index.ts';
import { invitationRevoked } from '../../src/links/index.ts';
import type { NoticePreferences } from '../../src/mail/index.ts';
import type { Organization, OrganizationId } from '../../src/organizations/index.ts';
import type { ReactionName } from '../../src/reactions/index.ts';
import type {
  NewSecondFactor,
  PendingSecretHash,
  PendingSignIn,
  RecoveryCodeHash,
  SecondFactorPolicy,
  SecondFactorReset,
  SecondFactorState,
} from '../../src/second-factor/index.ts';
import { needsSecondFactor } from '../../src/second-factor/index.ts';
import type { CredentialId, Service, ServiceName } from '../../src/services/index.ts';
import {
  type NewSession,
  NOT_GIVEN,
  type SecretRenewal,
  type SessionId,
  type SessionSecretHash,
  type VerifiedCredentials,
} from '../../src/sessions/index.ts';
import type { KeyId, SigningKey } from '../../src/signing-keys/index.ts';
import type { Instant } from '../../src/time/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { TokenWatch } from '../../src/time-events/index.ts';
import type { TokenFloor, TokenHolder, TokenPolicy, TokenRules } from '../../src/token-policy/index.ts';
import {
  confirmedUntil,
  effectiveRules,
  INITIAL_TOKEN_POLICY,
  NO_TOKEN_FLOOR,
} from '../../src/token-policy/index.ts';
import type {
  AddressOfUse,
  Revocation,
  Token,
  TokenId,
  TokenRecord,
  TokenUsageWithAddresses,
} from '../../src/tokens/index.ts';
import {
  addressAt,
  CLOCK_TOLERANCE_MS,
  isLive,
  NOT_USED_ANYWHERE,
  tokenRevoked,
} from '../../src/tokens/index.ts';
import type { EmailKey, PasswordHash, User, UserId } from '../../src/users/index.ts';
import type { WebhookId } from '../../src/webhooks/index.ts';
import type { StoredNotice } from './held-notices.ts';
import type { StoredReaction } from './reactions.ts';
import type { StoredServiceAccount } from './service-accounts.ts';
import type { StoredIdentity } from './stored-identity.ts';
import type { StoredWebhook } from './webhooks.ts';

export interface StoredSession extends NewSession {
  /** The secret before this one. */
  readonly replaced: { readonly hash: SessionSecretHash; readonly at: Instant } | undefined;
  readonly isRenewalDue: boolean;
}

/** How a user can sign in, without the identities. */
export type StoredMeans = Omit<SignInMeans, 'identities'>;

const INITIAL_MEANS: StoredMeans = {
  hasPassword: true,
  emailProvedAt: null,
  breakGlassAt: null,
  passwordOpenUntil: null,
};
export interface KeptSecondFactor extends NewSecondFactor {
  readonly recoveryCodes: ReadonlySet<RecoveryCodeHash>;
  /** The times of wrong codes, oldest first. */
  readonly wrong: readonly Instant[];
}

/** The state that in-memory repositories share. No method awaits, so each is one atomic step. */
export class State {
  readonly accounts: Map<AccountId, Account>;
  readonly users: Map<UserId, User>;
  readonly passwordHashes = new Map<UserId, PasswordHash>();
  /** When an identity provider last confirmed each person. */
  readonly confirmedAt = new Map<UserId, Instant>();
  /** The hashes of normal forms. */
  readonly normalHashes = new Map<UserId, PasswordHash>();
  readonly serviceAccounts = new Map<UserId, StoredServiceAccount>();
  readonly organizations: Map<OrganizationId, Organization>;
  readonly members = new Map<string, Instant>();
  readonly tokens: Map<TokenId, Token>;
  readonly descriptions = new Map<TokenId, string>();
  /** The rules that differ from those of a new account. */
  readonly policies = new Map<AccountId, TokenPolicy>();
  floor: TokenFloor = NO_TOKEN_FLOOR;
  readonly sessions = new Map<SessionId, StoredSession>();
  readonly secondFactors = new Map<UserId, KeptSecondFactor>();
  readonly secondFactorResets = new Map<UserId, SecondFactorReset>();
  readonly secondFactorPolicies = new Map<AccountId, SecondFactorPolicy>();
  readonly pendingSignIns = new Map<PendingSecretHash, PendingSignIn>();
  readonly invitations = new Map<InvitationId, NewInvitation>();
  readonly resetLinks = new Map<UserId, NewResetLink>();
  readonly passwordResets = new Map<UserId, PasswordReset>();
  /** When someone last asked for a link for each address. */
  readonly resetRequests = new Map<EmailKey, Instant>();
  readonly noticePreferences = new Map<UserId, NoticePreferences>();
  /** The decisions about messages, by person and event. */
  readonly notices = new Map<`${UserId} ${AuditPosition}`, StoredNotice>();
  readonly attempts = new Map<AttemptHash, Attempt>();
  readonly identities = new Map<string, StoredIdentity>();
  /** The means that differ from the initial ones of a user. */
  readonly means = new Map<UserId, Partial<StoredMeans>>();
  /** The points on which a provider and Gatehouse disagree, by user. */
  readonly conflicts = new Map<
    UserId,
    { readonly otherIdentityAt?: Instant | undefined; readonly demotionAt?: Instant | undefined }
  >();
  /** When an admin of an account first signed in with a provider. */
  readonly providerAdmins = new Map<AccountId, Instant>();
  /** The users who are or were admins. */
  readonly onceAdmins = new Map<UserId, true>();
  readonly webhooks = new Map<WebhookId, StoredWebhook>();
  readonly services: Map<ServiceName, Service>;
  readonly credentialUses = new Map<CredentialId, Instant>();
  readonly usage = new Map<TokenId, TokenUsageWithAddresses>();
  /** The addresses of uses from outside of the networks of tokens. */
  readonly outside = new Map<TokenId, readonly AddressOfUse[]>();
  /** The first uses of tokens at services. */
  readonly firstUses = new Map<`${TokenId} ${ServiceName}`, Instant>();
  readonly keys: Map<KeyId, SigningKey>;
  /** The watches of tokens, each with the facts at the last look. */
  readonly watches = new Map<TokenId, { readonly watch: TokenWatch; readonly changing: string }>();
  /** The keys that were recorded as due. */
  readonly dueKeys = new Map<KeyId, true>();
  /** The limits with which accounts were last found. */
  readonly foundLimits = new Map<AccountId, string>();
  readonly events: AuditEvent[] = [];
  /** The ids of events that were deleted; an event's id is its place in `events`, from 1. */
  readonly prunedEvents = new Set<number>();
  readonly seals: AuditSeal[] = [];
  readonly reactions = new Map<ReactionName, StoredReaction>();
  sealKey: SealKey | undefined;
  /** Called with each change. */
  readonly tell: (change: Change) => void;
  #lastId = 0;

  constructor(tell: (change: Change) => void) {
    this.tell = tell;
    this.accounts = new TellingMap((id) => tell({ kind: 'account', id }));
    this.users = new TellingMap((id) => tell({ kind: 'user', id }));
    this.organizations = new TellingMap((id) => tell({ kind: 'organization', id }));
    this.tokens = new TellingMap((id) => tell({ kind: 'token', id }));
    this.services = new TellingMap((id) => tell({ kind: 'service', id }));
    this.keys = new TellingMap((id) => tell({ kind: 'key', id }));
  }

  /** Notes that an identity provider confirmed the person at this time, and applies the rule of the account. */
  confirm(id: UserId, at: Instant): void {
    const user = this.users.get(id);
    if (!user) return;
    this.confirmedAt.set(id, at);
    const { person } = this.policies.get(user.accountId) ?? INITIAL_TOKEN_POLICY;
    this.users.set(id, { ...user, confirmedUntil: confirmedUntil(at, person) });
  }

  /** Returns another state with the same content, as a backup has it. */
  copy(): State {
    const copy = new State(() => undefined);
    const maps = [
      'accounts',
      'users',
      'passwordHashes',
      'normalHashes',
      'serviceAccounts',
      'organizations',
      'tokens',
      'descriptions',
      'policies',
      'sessions',
      'secondFactors',
      'secondFactorResets',
      'secondFactorPolicies',
      'pendingSignIns',
      'invitations',
      'resetLinks',
      'passwordResets',
      'resetRequests',
      'noticePreferences',
      'notices',
      'attempts',
      'identities',
      'means',
      'conflicts',
      'providerAdmins',
      'confirmedAt',
      'onceAdmins',
      'webhooks',
      'services',
      'credentialUses',
      'usage',
      'outside',
      'firstUses',
      'keys',
      'reactions',
      'watches',
      'dueKeys',
      'foundLimits',
    ] as const;
    for (const name of maps)
      for (const [id, thing] of this[name]) (copy[name] as Map<unknown, unknown>).set(id, thing);
    for (const [member, at] of this.members) copy.members.set(member, at);
    for (const id of this.prunedEvents) copy.prunedEvents.add(id);
    copy.events.push(...this.events);
    copy.seals.push(...this.seals);
    copy.sealKey = this.sealKey;
    copy.floor = this.floor;
    copy.#lastId = this.#lastId;
    return copy;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  meansOf(id: UserId): StoredMeans {
    return { ...INITIAL_MEANS, ...this.means.get(id) };
  }

  setMeans(id: UserId, means: Partial<StoredMeans>): void {
    this.means.set(id, { ...this.means.get(id), ...means });
  }

  /** Whether the user whom the event names as its actor is an active admin of the event's account; others may act. */
  actorMayAct({ actor, accountId }: Pick<AuditEvent, 'actor' | 'accountId'>): boolean {
    const id = actingUser({ actor });
    if (id === undefined) return true;
    const user = this.users.get(id);
    const account = accountId === null ? undefined : this.accounts.get(accountId);
    const isActive = account?.suspendedAt === null && user?.disabledAt === null;
    return isActive && user.kind === 'person' && user.role === 'admin' && user.accountId === accountId;
  }

  /** The facts about the second factor of a user on which sign-ins depend. */
  secondFactorOf({ id, accountId }: Pick<User, 'id' | 'accountId'>): SecondFactorState {
    const policy = this.secondFactorPolicies.get(accountId) ?? 'optional';
    return { enrolledAt: this.secondFactors.get(id)?.enrolledAt ?? null, policy };
  }

  /** Whether these are no longer the credentials of the user. */
  haveCredentialsChanged(id: UserId, { verifiedHash, secondFactorAt = null }: VerifiedCredentials): boolean {
    const enrolledAt = this.secondFactors.get(id)?.enrolledAt ?? null;
    return this.passwordHashes.get(id) !== verifiedHash || enrolledAt !== secondFactorAt;
  }

  /** Whether the password of the user is enough to sign in. */
  isPasswordEnough(user: User): boolean {
    return !needsSecondFactor(this.secondFactorOf(user), user);
  }

  /** The rules that hold for a token, and the kind of its holder. */
  rulesFor({ accountId, userId }: Pick<Token, 'accountId' | 'userId'>): {
    holder: TokenHolder;
    rules: TokenRules;
  } {
    const own = this.policies.get(accountId) ?? INITIAL_TOKEN_POLICY;
    const holder = this.users.get(userId)?.kind ?? 'person';
    return { holder, rules: effectiveRules({ own, floor: this.floor }, holder) };
  }

  /** Revokes the user's matching tokens that a machine could still accept, and returns how many were live. */
  revokeTokensOf(
    userId: UserId,
    revocation: Revocation,
    event: AuditEvent,
    takes: (token: Token) => boolean,
  ): number {
    let ended = 0;
    for (const token of this.tokens.values()) {
      const mayBeGood = isLive(token, addMilliseconds(revocation.at, -CLOCK_TOLERANCE_MS));
      if (token.userId !== userId || !mayBeGood || !takes(token)) continue;
      if (isLive(token, revocation.at)) ended += 1;
      this.revoke(token, revocation, event);
    }
    return ended;
  }

  /** Replaces the secret of a session that is there. */
  renewSecret(id: SessionId, { from, to }: SecretRenewal, at: Instant): void {
    const session = this.sessions.get(id);
    if (!session) throw new Error('no such session');
    this.sessions.set(id, { ...session, secretHash: to, replaced: { hash: from, at }, isRenewalDue: false });
  }
  /** Takes back the given passwords of the user's sessions, and makes the renewal of their secrets due. */
  renewSessionsOf(userId: UserId): void {
    for (const session of this.sessions.values()) {
      if (session.userId !== userId) continue;
      this.sessions.set(session.id, { ...session, passwordGivenAt: NOT_GIVEN, isRenewalDue: true });
    }
  }
  /** Takes back the given passwords of the user's sessions that a password opened, except in the kept one. */
  takeBackPasswords(userId: UserId, kept: SessionId): void {
    for (const session of this.sessions.values())
      if (session.userId === userId && session.id !== kept && session.provider === null)
        this.sessions.set(session.id, { ...session, passwordGivenAt: NOT_GIVEN });
  }
  /** Ends the user's sessions except for the kept one. */
  endSessionsOf(userId: UserId, kept?: SessionId): void {
    for (const { id, userId: owner } of this.sessions.values()) {
      if (owner === userId && id !== kept) this.sessions.delete(id);
    }
  }

  /** Ends the reset links that are for or by the user, and the invitations that the user made. */
  endLinksOf(userId: UserId, { at, actor, origin }: AuditEvent): void {
    for (const link of this.resetLinks.values())
      if (link.userId === userId || link.madeBy === userId) this.resetLinks.delete(link.userId);
    for (const invitation of this.invitations.values()) {
      if (invitation.invitedBy !== userId) continue;
      this.invitations.delete(invitation.id);
      const reason = 'the admin who made it is no longer an active admin';
      this.events.push({ ...invitationRevoked(invitation, { at, reason }), actor, origin });
    }
  }

  isActiveAdmin(userId: UserId, accountId: AccountId): boolean {
    const user = this.users.get(userId);
    return (
      user?.accountId === accountId &&
      user.kind === 'person' &&
      user.role === 'admin' &&
      user.disabledAt === null
    );
  }

  /** Revokes the token, with an event by the actor of the change that causes it. */
  revoke(token: Token, revocation: Revocation, { actor, origin }: AuditEvent): void {
    this.tokens.set(token.id, { ...token, revocation });
    this.events.push({ ...tokenRevoked(token, revocation), actor, origin });
  }

  /** Notes that the token was used at the service. */
  usedAtServiceSince(id: TokenId, service: ServiceName, at: Instant): void {
    if (!this.tokens.has(id)) return;
    const first = this.firstUses.get(`${id} ${service}`) ?? at;
    this.firstUses.set(`${id} ${service}`, Math.min(first, at) as Instant);
  }

  /** The usage of a token, with what follows from its addresses. */
  usageOf(id: TokenId): TokenUsageWithAddresses {
    const usage = this.usage.get(id) ?? NOT_USED_ANYWHERE;
    const { lastUsedAt, lastRefusal, usedFrom, refusedFrom } = usage;
    return {
      ...usage,
      reportedFrom: this.outside.get(id) ?? [],
      lastUsedFrom: addressAt(lastUsedAt, usedFrom),
      lastRefusal: lastRefusal && { ...lastRefusal, from: addressAt(lastRefusal.at, refusedFrom) },
    };
  }

  recordOf(token: Token): TokenRecord {
    const user = this.users.get(token.userId);
    const account = this.accounts.get(token.accountId);
    const key = this.keys.get(token.keyId);
    if (!user || !account || !key) throw new Error('a token without its user, account or key');
    return { ...token, user, account, keyState: key.state };
  }
}

class TellingMap<Id, Thing> extends Map<Id, Thing> {
  readonly #tell: (id: Id) => void;

  constructor(tell: (id: Id) => void) {
    super();
    this.#tell = tell;
  }

  override set(id: Id, thing: Thing): this {
    super.set(id, thing);
    this.#tell(id);
    return this;
  }

  override delete(id: Id): boolean {
    const was = super.delete(id);
    if (was) this.#tell(id);
    return was;
  }
}
