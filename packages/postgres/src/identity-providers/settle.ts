import type {
  Decision,
  IdentityRepository,
  Settled,
  Settlement,
  SettlementAudit,
} from '@gatehouse/domain/identity-providers';
import { formatInstant } from '@gatehouse/domain/time';
import { NOT_CONFIRMED } from '@gatehouse/domain/token-policy';
import type { User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { insertSession } from '../sessions/insert-session.ts';
import { renewSecret } from '../sessions/session-changes.ts';
import { isLastAdmin } from '../users/active-admins.ts';
import { changeRole } from '../users/change-role.ts';
import { confirmPerson } from '../users/confirmations.ts';
import { insertUser } from '../users/insert-user.ts';
import { lockFacts } from './person-facts.ts';
import { noteConflict } from './sign-in-concerns.ts';

/** Thrown to undo a transaction whose facts changed while it waited for locks; it is tried again. */
class FactsChanged extends Error {}

/** Each try waits for the change that made the one before it fail, so more than a few tries are a fault. */
const TRIES = 10;

type Settle = IdentityRepository['settle'];

/** Settles who a person is. Every lock is taken before the facts are read, and every check made before a change. */
export function settle(db: Queries): Settle {
  return async (settlement, decide, audit) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await commitDurably(db, (tx) => settleOnce(tx, settlement, decide, audit));
      } catch (error) {
        if (!(error instanceof FactsChanged) || tries === TRIES) throw error;
      }
    }
  };
}

async function settleOnce(
  tx: Queries,
  settlement: Settlement,
  decide: Parameters<Settle>[1],
  audit: SettlementAudit,
): Promise<Settled> {
  const facts = await lockFacts(tx, settlement);
  if (!facts) throw new FactsChanged();
  const decision = decide(facts);
  if (decision.outcome === 'refused') return refused(tx, decision, settlement, audit);
  const { purpose, renewal, at } = settlement;
  if (purpose.kind === 'confirm') {
    // A role that changes makes a renewal of all sessions due, so it is set before this session is renewed; but a
    // session with another secret must change nothing.
    const isCurrent = renewal && (await hasSecret(tx, purpose.sessionId, renewal.from));
    if (!isCurrent) return OTHER_BROWSER;
  }
  const user =
    decision.outcome === 'new'
      ? await createUser(tx, decision, settlement, audit)
      : await knownUser(tx, decision, settlement, audit);
  await noteConfirmation(tx, user, settlement);
  if (purpose.kind === 'confirm' && renewal) {
    await renewSecret(tx, { id: purpose.sessionId, userId: user.id }, at, renewal);
    const session = tx.updateTable('sessions').where('id', '=', purpose.sessionId);
    await session.set({ password_given_at: formatInstant(at) }).execute();
  }
  if (purpose.kind === 'sign-in' || purpose.kind === 'invitation') {
    await noteAdmin(tx, user, settlement);
    await insertSession(tx, { ...settlement.session, userId: user.id }, settlement.bound, {
      created: audit.sessionCreated(user),
      ended: (oldest) => audit.sessionEnded(user, oldest),
    });
  }
  return { outcome: 'settled', user, isNew: decision.outcome === 'new' };
}

const OTHER_BROWSER: Extract<Decision, { outcome: 'refused' }> = {
  outcome: 'refused',
  reason: 'attempt_of_other_browser',
  about: undefined,
  endsConfirmation: false,
};

async function refused(
  tx: Queries,
  decision: Extract<Decision, { outcome: 'refused' }>,
  { at }: Settlement,
  audit: SettlementAudit,
) {
  const { about, reason, endsConfirmation } = decision;
  if (about) await insertAuditEvents(tx, [audit.refused(reason, about)]);
  if (about && reason === 'user_has_other_identity')
    await noteConflict(tx, about, { other_identity_at: formatInstant(at) });
  if (about && endsConfirmation) await confirmPerson(tx, about.id, NOT_CONFIRMED);
  return decision;
}

async function hasSecret(tx: Queries, id: string, hash: string): Promise<boolean> {
  const { rows } = await sql`
    select from sessions where id = ${id} and secret_hash = ${Buffer.from(hash, 'hex')}`.execute(tx);
  return rows.length > 0;
}

async function createUser(
  tx: Queries,
  { accountId, email, name, role, invitation, isEmailProved }: Extract<Decision, { outcome: 'new' }>,
  settlement: Settlement,
  audit: SettlementAudit,
): Promise<User> {
  const { unknownPassword: passwordHash, at } = settlement;
  if (passwordHash === undefined) throw new Error('a new user without a hash');
  const user = await insertUser(tx, { accountId, email, name, role, passwordHash, createdAt: at });
  // Another transaction has created a user with the address in the meantime.
  if (!user) throw new FactsChanged();
  await tx
    .insertInto('sign_in_means')
    .values({
      user_id: user.id,
      unknown_hash: passwordHash,
      email_proved_at: isEmailProved ? formatInstant(at) : null,
    })
    .execute();
  if (invitation) await tx.deleteFrom('invitations').where('id', '=', invitation.id).execute();
  await insertAuditEvents(tx, audit.created(user, invitation));
  await link(tx, user, settlement, audit);
  return user;
}

async function knownUser(
  tx: Queries,
  { user, isNewLink, role }: Extract<Decision, { outcome: 'known' }>,
  settlement: Settlement,
  audit: SettlementAudit,
): Promise<User> {
  if (isNewLink) await link(tx, user, settlement, audit);
  if (role === null) return user;
  if (role !== user.role && (await isLastAdmin(tx, user))) {
    await noteConflict(tx, user, { demotion_at: formatInstant(settlement.at) });
    await insertAuditEvents(tx, [audit.demotionRefused(user)]);
    return user;
  }
  const agreed = tx.updateTable('provider_conflicts').where('user_id', '=', user.id);
  await agreed.set({ demotion_at: null }).execute();
  if (role === user.role) return user;
  return changeRole(tx, user, role, audit.roleSet(user, role));
}

async function link(
  tx: Queries,
  user: User,
  { person: { issuer, subject, email }, at }: Settlement,
  audit: SettlementAudit,
): Promise<void> {
  const now = formatInstant(at);
  const linked = await tx
    .insertInto('identities')
    .values({ issuer, subject, user_id: user.id, linked_at: now, confirmed_at: now, email })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  // Another transaction has linked the person or the user in the meantime.
  if (!linked) throw new FactsChanged();
  await insertAuditEvents(tx, [audit.linked(user)]);
}

/** Notes that the provider has confirmed the user, and what it calls the user's address. */
async function noteConfirmation(
  tx: Queries,
  { id }: User,
  { person: { issuer, subject, email }, at }: Settlement,
): Promise<void> {
  const now = formatInstant(at);
  const identity = tx.updateTable('identities').where('issuer', '=', issuer).where('subject', '=', subject);
  await identity.set({ confirmed_at: now, email }).execute();
  await confirmPerson(tx, id, at);
}

/** Notes the first admin of an account who signs in with a provider. */
async function noteAdmin(tx: Queries, { accountId, role }: User, { at }: Settlement): Promise<void> {
  if (role !== 'admin') return;
  await tx
    .insertInto('provider_admins')
    .values({ account_id: accountId, since: formatInstant(at) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
