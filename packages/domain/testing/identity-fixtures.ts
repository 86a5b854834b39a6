import type { AccountId } from '../src/accounts/index.ts';
import type {
  Attempt,
  AttemptHash,
  Decision,
  PersonFacts,
  ProviderId,
  Settlement,
  SettlementAudit,
} from '../src/identity-providers/index.ts';
import { ok, type Repositories } from '../src/index.ts';
import type { Instant } from '../src/time/index.ts';
import type { User } from '../src/users/index.ts';
import { A_HASH, anEvent, aSecretHash, aSession, START, unwrap } from './fixtures.ts';

/** Creates a hash that no attempt has. */
export const anAttemptHash = () => aSecretHash() as string as AttemptHash;

export function anAttempt(parts: Partial<Attempt> = {}): Attempt {
  return {
    stateHash: anAttemptHash(),
    browserHash: anAttemptHash(),
    provider: 'entra' as ProviderId,
    purpose: { kind: 'sign-in' },
    next: null,
    createdAt: START,
    ...parts,
  };
}

let subjects = 0;

/** Creates a settlement of a sign-in by a person whom no user is. */
export function aSettlement(parts: Partial<Settlement> = {}): Settlement {
  subjects += 1;
  const person = { issuer: 'https://entra.example', subject: `subject-${subjects}`, email: null };
  const never = 0 as Instant;
  const { userId: _, ...session } = aSession({ id: 0 as User['id'] });
  const { issuer, subject } = parts.person ?? person;
  return {
    person,
    purpose: { kind: 'sign-in' },
    at: START,
    session: {
      ...session,
      provider: { provider: 'entra' as ProviderId, issuer, subject, providerSession: null },
    },
    bound: { keep: 1000, createdAfter: never, seenAfter: never },
    renewal: undefined,
    newUsersIn: null,
    unknownPassword: A_HASH,
    ...parts,
  };
}

/** Makes events whose action is what happened. */
export const A_SETTLEMENT_AUDIT: SettlementAudit = {
  refused: (reason, { accountId }) =>
    anEvent({ action: 'user.link_refused', accountId, details: { reason } }),
  created: ({ id, accountId }, invitation) =>
    [...(invitation ? ['invitation.accepted' as const] : []), 'user.created' as const].map((action) =>
      anEvent({ action, accountId, details: { id } }),
    ),
  linked: ({ id, accountId }) => anEvent({ action: 'user.linked', accountId, details: { id } }),
  roleSet: ({ accountId }, role) => anEvent({ action: 'user.role_set', accountId, details: { role } }),
  demotionRefused: ({ id, accountId }) =>
    anEvent({ action: 'user.demotion_refused', accountId, details: { id } }),
  sessionCreated: ({ id, accountId }) => anEvent({ action: 'session.created', accountId, details: { id } }),
  sessionEnded: ({ accountId }, { id }) => anEvent({ action: 'session.ended', accountId, details: { id } }),
};

/** Decides that the person is this user, as the facts say now. */
export const decideFor =
  (user: Pick<User, 'id'>, parts: Partial<Extract<Decision, { outcome: 'known' }>> = {}) =>
  ({ linked, byEmail, own }: PersonFacts): Decision => {
    const found = [linked, own, byEmail].find((known) => known?.user.id === user.id);
    if (!found) throw new Error('the user is not in the facts');
    return { outcome: 'known', user: found.user, isNewLink: !linked, role: null, ...parts };
  };

/** Links the person of a settlement to the user, as a first sign-in by address does, and returns the settlement. */
export async function givenIdentity(
  store: Repositories,
  user: User,
  parts: Partial<Settlement> = {},
): Promise<Settlement> {
  const made = aSettlement(parts);
  const settlement = { ...made, person: { ...made.person, email: user.email } };
  await store.identities.settle(settlement, decideFor(user), A_SETTLEMENT_AUDIT);
  return settlement;
}

/** Demands that providers confirm the persons of the account within this time, in milliseconds; null ends the rule. */
export async function givenConfirmationRule(
  store: Pick<Repositories, 'tokenPolicies'>,
  accountId: AccountId,
  confirmWithinMs: number | null,
): Promise<void> {
  const set = await store.tokenPolicies.set(
    accountId,
    ({ person, service }) => ok({ service, person: { ...person, confirmWithinMs } }),
    () => anEvent(),
  );
  unwrap(set);
}
