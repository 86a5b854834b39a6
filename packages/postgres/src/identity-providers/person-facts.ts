import type { Account } from '@gatehouse/domain/accounts';
import type { Identity, KnownUser, PersonFacts, Settlement } from '@gatehouse/domain/identity-providers';
import type { OpenInvitation } from '@gatehouse/domain/links';
import type { UserId } from '@gatehouse/domain/users';
import { joinedAccountColumns, selectAccounts, toJoinedAccount } from '../accounts/account-records.ts';
import type { Queries } from '../database/schema.ts';
import { lockUsers } from '../database/statements/row-locks.ts';
import { selectAcceptable, toInvitation } from '../links/invitation-records.ts';
import { emailKeysOf, isStoredUnder, joinedUserColumns, toJoinedUser } from '../users/user-records.ts';

/** The ids of the users whom a settlement could concern. */
interface Involved {
  readonly linked: UserId | undefined;
  /** At most two: with two, none of them is meant. */
  readonly byEmail: readonly UserId[];
  readonly own: UserId | undefined;
}

/**
 * Reads the facts about a person under the locks of the accounts and users that they name. Returns undefined if, while
 * it waited for the locks, the facts came to name another user, who is not locked.
 */
export async function lockFacts(tx: Queries, settlement: Settlement): Promise<PersonFacts | undefined> {
  const before = await findInvolved(tx, settlement);
  const locked = idsOf(before);
  const accounts = await lockAccounts(tx, settlement, locked);
  await lockUsers(tx, locked.length === 0 ? [0 as UserId] : locked);

  // Separate statements: one that waited for a lock would still read rows as they were when it began.
  const involved = await findInvolved(tx, settlement);
  if (idsOf(involved).some((id) => !locked.includes(id))) return undefined;
  const known = await readUsers(tx, idsOf(involved), settlement.person);
  const [only, another] = involved.byEmail;
  const of = (id: UserId | undefined) => (id === undefined ? undefined : known.get(id));
  return {
    linked: of(involved.linked),
    byEmail: another === undefined ? of(only) : undefined,
    isEmailTaken: only !== undefined,
    own: of(involved.own),
    invitation: await readInvitation(tx, settlement, accounts),
    newIn: accounts.find(({ id }) => id === settlement.newUsersIn),
  };
}

const idsOf = ({ linked, byEmail, own }: Involved) => [
  ...new Set([linked, own, ...byEmail].filter((id) => id !== undefined)),
];

async function findInvolved(tx: Queries, { person, purpose }: Settlement): Promise<Involved> {
  const linked = await selectUserOf(tx, person).executeTakeFirst();
  const { email } = person;
  const stored = email === null ? [] : await selectByEmail(tx, email).execute();
  const own = 'sessionId' in purpose ? await selectOwn(tx, purpose).executeTakeFirst() : undefined;
  return { linked: linked?.user_id, byEmail: stored.map(({ id }) => id), own: own?.user_id };
}

/** Uses the index identities_pkey. */
export const selectUserOf = (db: Queries, { issuer, subject }: Identity) =>
  db.selectFrom('identities').select('user_id').where('issuer', '=', issuer).where('subject', '=', subject);

const selectByEmail = (tx: Queries, email: string) =>
  tx
    .selectFrom('users')
    .select('id')
    .where(isStoredUnder(emailKeysOf(email)))
    .limit(2);

const selectOwn = (
  tx: Queries,
  { sessionId, userId }: Extract<Settlement['purpose'], { kind: 'link' | 'confirm' }>,
) => tx.selectFrom('sessions').select('user_id').where('id', '=', sessionId).where('user_id', '=', userId);

/** Locks the accounts of these users, the one of the invitation and the one of new users, in the order of their ids. */
async function lockAccounts(
  tx: Queries,
  { purpose, newUsersIn }: Settlement,
  users: readonly UserId[],
): Promise<readonly Account[]> {
  const ofUsers = await tx
    .selectFrom('users')
    .select('account_id')
    .where('id', 'in', [0 as UserId, ...users])
    .execute();
  const invited =
    purpose.kind === 'invitation'
      ? await tx
          .selectFrom('invitations')
          .select('account_id')
          .where('code_hash', '=', Buffer.from(purpose.codeHash, 'hex'))
          .execute()
      : [];
  const ids = [...ofUsers, ...invited].map(({ account_id: id }) => id);
  const all = [...ids, ...(newUsersIn === null ? [] : [newUsersIn])];
  if (all.length === 0) return [];
  return selectAccounts(tx).where('id', 'in', all).orderBy('id').forNoKeyUpdate().execute();
}

async function readUsers(
  tx: Queries,
  ids: readonly UserId[],
  { issuer, subject }: Identity,
): Promise<ReadonlyMap<UserId, KnownUser>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .leftJoin('sign_in_means as means', 'means.user_id', 'users.id')
    .select(['users.id as user_id', 'users.account_id', ...joinedUserColumns, ...joinedAccountColumns])
    .select(['means.email_proved_at', 'means.break_glass_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('identities')
          .whereRef('identities.user_id', '=', 'users.id')
          .where('identities.issuer', '=', issuer)
          .where('identities.subject', '<>', subject),
      ).as('has_other'),
    )
    .where('users.id', 'in', ids)
    .execute();
  return new Map(
    rows.map((row) => {
      const known = {
        user: toJoinedUser(row),
        account: toJoinedAccount(row),
        emailProvedAt: row.email_proved_at,
        isBreakGlass: row.break_glass_at !== null,
        hasOtherIdentity: Boolean(row.has_other),
      };
      return [row.user_id, known];
    }),
  );
}

async function readInvitation(
  tx: Queries,
  { purpose, at }: Settlement,
  accounts: readonly Account[],
): Promise<OpenInvitation | undefined> {
  if (purpose.kind !== 'invitation') return undefined;
  const found = await selectAcceptable(tx, purpose.codeHash, at).executeTakeFirst();
  const account = accounts.find(({ id }) => id === found?.accountId);
  if (!found || account?.suspendedAt !== null) return undefined;
  if (await selectByEmail(tx, found.email).executeTakeFirst()) return undefined;
  return { invitation: toInvitation(found), account };
}
