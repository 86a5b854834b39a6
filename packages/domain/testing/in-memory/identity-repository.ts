import type {
  Decision,
  Identity,
  IdentityRepository,
  KnownUser,
  LinkedIdentity,
  PersonFacts,
  Settlement,
  SettlementAudit,
} from '../../src/identity-providers/index.ts';
import { err, ok } from '../../src/index.ts';
import type { Instant } from '../../src/time/index.ts';
import { NOT_CONFIRMED } from '../../src/token-policy/index.ts';
import { emailKey, type User, type UserId } from '../../src/users/index.ts';
import { acceptableInvitation, seenInvitation } from './invitation-repository.ts';
import { addSession } from './session-repository.ts';
import type { State } from './state.ts';
import { identityKey, type StoredIdentity } from './stored-identity.ts';
import { changeRole, isLastAdmin } from './user-repository.ts';

export function createInMemoryIdentityRepository(state: State): IdentityRepository {
  const ofUser = (userId: UserId) => [...state.identities.values()].filter((each) => each.userId === userId);
  return {
    findUser: async (identity) => state.identities.get(identityKey(identity))?.userId,
    async findMeans(id) {
      if (state.users.get(id)?.kind !== 'person') return undefined;
      const identities = ofUser(id).map(({ userId: _, ...identity }) => identity);
      return { identities, ...state.meansOf(id) };
    },
    async settle(settlement, decide, audit) {
      const decision = decide(factsFor(state, settlement));
      if (decision.outcome === 'refused') return refused(state, decision, settlement, audit);
      if (!hasOwnSession(state, settlement))
        return {
          outcome: 'refused',
          reason: 'attempt_of_other_browser',
          about: undefined,
          endsConfirmation: false,
        };
      const user = personOf(state, decision, settlement, audit);
      confirm(state, user, settlement);
      finish(state, user, settlement, audit);
      return { outcome: 'settled', user, isNew: decision.outcome === 'new' };
    },
    async unlink({ userId, issuer, mayLackPassword }, audit) {
      const user = state.users.get(userId);
      if (!user) return err({ code: 'user_not_found' });
      const found = ofUser(userId).filter((each) => issuer === undefined || each.issuer === issuer);
      if (found.length === 0) return err({ code: 'identity_not_found' });
      if (!mayLackPassword && !state.meansOf(userId).hasPassword) return err({ code: 'password_missing' });
      return ok(found.map((identity) => unlinked(state, user, identity, audit)));
    },
  };
}

export function unlinked(
  state: State,
  user: User,
  { userId: _, ...identity }: StoredIdentity,
  audit: Parameters<IdentityRepository['unlink']>[1],
): LinkedIdentity {
  state.identities.delete(identityKey(identity));
  state.conflicts.delete(user.id);
  for (const { id, userId, provider } of state.sessions.values())
    if (userId === user.id && provider && identityKey(provider) === identityKey(identity))
      state.sessions.delete(id);
  state.events.push(audit(user, identity));
  return identity;
}

function factsFor(state: State, { person, purpose, at, newUsersIn }: Settlement): PersonFacts {
  const known = (id: UserId | undefined) => (id === undefined ? undefined : knownUser(state, id, person));
  const key = person.email === null ? undefined : emailKey(person.email);
  const sameKey = [...state.users.values()].filter(({ email }) => emailKey(email) === key);
  const session = 'sessionId' in purpose ? state.sessions.get(purpose.sessionId) : undefined;
  const acceptance =
    purpose.kind === 'invitation'
      ? acceptableInvitation(state, purpose.codeHash, at, { isForNewUser: true })
      : undefined;
  return {
    linked: known(state.identities.get(identityKey(person))?.userId),
    byEmail: sameKey.length === 1 ? known(sameKey[0]?.id) : undefined,
    isEmailTaken: sameKey.length > 0,
    own: 'userId' in purpose && session?.userId === purpose.userId ? known(session.userId) : undefined,
    invitation: acceptance && {
      invitation: seenInvitation(state, acceptance.found),
      account: acceptance.account,
    },
    newIn: newUsersIn === null ? undefined : state.accounts.get(newUsersIn),
  };
}

function knownUser(state: State, id: UserId, { issuer, subject }: Identity): KnownUser | undefined {
  const user = state.users.get(id);
  const account = user && state.accounts.get(user.accountId);
  if (!account) return undefined;
  const { emailProvedAt, breakGlassAt } = state.meansOf(id);
  const hasOtherIdentity = [...state.identities.values()].some(
    (each) => each.userId === id && each.issuer === issuer && each.subject !== subject,
  );
  return { user, account, emailProvedAt, isBreakGlass: breakGlassAt !== null, hasOtherIdentity };
}

function refused(
  state: State,
  decision: Extract<Decision, { outcome: 'refused' }>,
  { at }: Settlement,
  audit: SettlementAudit,
) {
  const { about, reason, endsConfirmation } = decision;
  if (about) state.events.push(audit.refused(reason, about));
  if (about && reason === 'user_has_other_identity') noteConflict(state, about, { otherIdentityAt: at });
  if (about && endsConfirmation) state.confirm(about.id, NOT_CONFIRMED);
  return decision;
}

function hasOwnSession(state: State, { purpose, renewal }: Settlement): boolean {
  if (purpose.kind !== 'confirm') return true;
  return state.sessions.get(purpose.sessionId)?.secretHash === renewal?.from;
}

/** Creates or finds the user of the decision, with the identity and the role. */
function personOf(
  state: State,
  decision: Exclude<Decision, { outcome: 'refused' }>,
  { person: { issuer, subject, email }, at, unknownPassword }: Settlement,
  audit: SettlementAudit,
): User {
  const link = (user: User) => {
    const identity = { issuer, subject, userId: user.id, email, linkedAt: at, confirmedAt: at };
    state.identities.set(identityKey(identity), identity);
    state.events.push(audit.linked(user));
  };
  if (decision.outcome === 'known') {
    const { user, role, isNewLink } = decision;
    if (isNewLink) link(user);
    if (role !== null) noteConflict(state, user, { demotionAt: undefined });
    if (role === null || role === user.role) return user;
    if (isLastAdmin(state, user)) {
      noteConflict(state, user, { demotionAt: at });
      state.events.push(audit.demotionRefused(user));
      return user;
    }
    return changeRole(state, user, role, audit.roleSet(user, role));
  }
  if (unknownPassword === undefined) throw new Error('a new user without a hash');
  const { accountId, name, role, invitation, isEmailProved } = decision;
  const id = state.nextId() as UserId;
  const named = { id, accountId, kind: 'person', email: decision.email, name, role } as const;
  const created: User = { ...named, createdAt: at, disabledAt: null, confirmedUntil: null };
  state.users.set(id, created);
  state.passwordHashes.set(id, unknownPassword);
  state.normalHashes.set(id, unknownPassword);
  state.means.set(id, { hasPassword: false, ...(isEmailProved && { emailProvedAt: at }) });
  if (role === 'admin') state.onceAdmins.set(id, true);
  if (invitation) state.invitations.delete(invitation.id);
  state.events.push(...audit.created(created, invitation));
  link(created);
  return created;
}

function noteConflict(
  state: State,
  { id }: User,
  conflict: { readonly otherIdentityAt?: Instant | undefined; readonly demotionAt?: Instant | undefined },
): void {
  state.conflicts.set(id, { ...state.conflicts.get(id), ...conflict });
}

/** Notes that the provider confirmed the user now. */
function confirm(state: State, user: User, { person, at }: Settlement): void {
  const stored = state.identities.get(identityKey(person));
  if (!stored) throw new Error('a confirmation without the identity');
  state.identities.set(identityKey(person), { ...stored, confirmedAt: at, email: person.email });
  state.confirm(user.id, at);
}

/** Opens the session of a sign-in, or confirms the session of the purpose. */
function finish(
  state: State,
  user: User,
  { purpose, at, session, bound, renewal }: Settlement,
  audit: SettlementAudit,
): void {
  if (purpose.kind === 'link') return;
  if (purpose.kind === 'confirm') {
    const confirmed = state.sessions.get(purpose.sessionId);
    if (!confirmed || !renewal) throw new Error('a confirmation without its session');
    state.sessions.set(confirmed.id, { ...confirmed, passwordGivenAt: at });
    state.renewSecret(confirmed.id, renewal, at);
    return;
  }
  if (user.role === 'admin' && !state.providerAdmins.has(user.accountId))
    state.providerAdmins.set(user.accountId, at);
  addSession(state, { ...session, userId: user.id }, bound, {
    created: audit.sessionCreated(user),
    ended: (oldest) => audit.sessionEnded(user, oldest),
  });
}
