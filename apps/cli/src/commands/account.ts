import { ok } from '@gatehouse/domain';
import type { UsedAccount } from '@gatehouse/domain/accounts';
import type { BelongingCount } from '@gatehouse/domain/extensions';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineChange, defineList } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { ACCOUNT_ID } from '../input/parsers.ts';
import { accountView } from '../views/account-view.ts';
import { counted } from '../views/count.ts';

const ID = { ...ACCOUNT_ID, description: "The account's id" };

const accountCreate = defineChange({
  verb: 'create',
  summary: 'Create an account and print its id',
  options: { name: { value: 'name', description: "The customer's name", required: true } },
  examples: ['gatehouse account create --name "Acme Works"'],
  run: ({ createAccount }, caller, { name }) => createAccount(caller, { name }),
  note: ({ name }) => `Created account "${name}". Its id:`,
  bare: ({ id }) => String(id),
  document: accountView.document,
});

const accountList = defineList({
  verb: 'list',
  summary: 'List the accounts',
  examples: ['gatehouse account list'],
  view: accountView,
  run: ({ listAccounts }, caller) => listAccounts(caller),
});

/** Users and tokens are counted up to this number. */
const max = 1000;

const accountSuspend = defineChange({
  verb: 'suspend',
  summary: 'Refuse all users and tokens of an account, including its admins, until it is resumed',
  arguments: { id: ID },
  options: { reason: { value: 'text', description: 'The reason, which the audit log records' } },
  examples: ['gatehouse account suspend 1 --reason "invoice overdue"'],
  asks: {
    action: 'suspend the account',
    question:
      'Servers will refuse its users, including admins, and its tokens until it is resumed. Suspend the account?',
    declined: 'The account was not suspended.',
    async facts({ findAccountUse, findAccountBelongings }, caller, { id }) {
      const limit = max + 1;
      const used = unwrap(await findAccountUse(caller, { id, limit }));
      return ok(factsOf(used, unwrap(await findAccountBelongings(caller, { id, limit }))));
    },
  },
  run: ({ suspendAccount }, caller, { id, reason }) => suspendAccount(caller, { id, reason: reason ?? null }),
  note: ({ account: { name, suspendedAt }, already }, { id }) =>
    already
      ? `Account "${name}" was already suspended at ${shortTime(suspendedAt)}.`
      : `Suspended account "${name}": servers refuse its users and tokens until you run \`gatehouse account resume ${id}\`.`,
  document: ({ account }) => accountView.document(account),
});

function factsOf(
  { account, use }: UsedAccount,
  belongings: readonly BelongingCount[],
): readonly string[] | undefined {
  if (account.suspendedAt !== null) return undefined;
  const facts = `Account "${account.name}" (${account.id}) has ${counted(use.activeUsers, 'active user', { max })} and ${counted(use.liveTokens, 'live token', { max })}.`;
  if (belongings.length === 0) return [facts];
  const kept = belongings.map(({ count, one, several }) => counted(count, one, { several, max }));
  return [facts, `Kept, but not served until the account is resumed: ${kept.join(' and ')}.`];
}

const accountResume = defineChange({
  verb: 'resume',
  summary: 'Accept the users and tokens of a suspended account again',
  arguments: { id: ID },
  examples: ['gatehouse account resume 1'],
  run: ({ resumeAccount }, caller, { id }) => resumeAccount(caller, id),
  note: ({ account: { name }, already }) =>
    already
      ? `Account "${name}" is not suspended; nothing changed.`
      : `Resumed account "${name}": its users can sign in, and its tokens work again unless they were revoked or have expired.`,
  document: ({ account }) => accountView.document(account),
});

export const commands = [accountCreate, accountList, accountSuspend, accountResume];
