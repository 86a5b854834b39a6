import { ok } from '@gatehouse/domain';
import type { Account, ShownAccount } from '@gatehouse/domain/accounts';
import type { BelongingCount } from '@gatehouse/domain/extensions';
import { shortTime } from '@gatehouse/extension-kit/cli';
import { defineChange, defineList, defineSteps } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { ACCOUNT_ID } from '../input/parsers.ts';
import { accountView } from '../views/account-view.ts';
import { counted } from '../views/count.ts';
import { shownAccountView } from '../views/shown-account-view.ts';
import { policyCommands } from './account/policy.ts';

const ID = { ...ACCOUNT_ID, description: "The account's id" };

const accountCreate = defineChange({
  verb: 'create',
  summary: 'Create an account and print its id',
  options: { name: { value: 'name', description: "The customer's name", required: true } },
  examples: ['gatehouse account create --name "Acme Works"'],
  async run({ createAccount, listNamesakes }, caller, { name }) {
    const account = unwrap(await createAccount(caller, { name }));
    return ok({ account, namesakes: unwrap(await listNamesakes(caller, account)) });
  },
  note: ({ account: { name }, namesakes }) => [
    ...namesakeWarning(namesakes),
    `Created account "${name}". Its id:`,
  ],
  bare: ({ account: { id } }) => String(id),
  document: ({ account }) => accountView.document(account),
});

/** Warns about other accounts with the same name: only their ids tell them apart. */
function namesakeWarning(namesakes: readonly Account[]): readonly string[] {
  if (namesakes.length === 0) return [];
  const ids = namesakes.map(({ id }) => id).join(', ');
  return namesakes.length === 1
    ? [`Warning: account ${ids} has the same name.`]
    : [`Warning: accounts ${ids} have the same name.`];
}

const accountList = defineList({
  verb: 'list',
  summary: 'List the accounts',
  examples: ['gatehouse account list'],
  view: accountView,
  run: ({ listAccounts }, caller) => listAccounts(caller),
});

const accountShow = defineSteps({
  verb: 'show',
  summary: 'Show an account: its users, tokens and organizations in numbers, and its admins',
  arguments: { id: ID },
  as: { description: 'Show the account as this admin, who sees only their own account' },
  examples: ['gatehouse account show 1', 'gatehouse account show 1 --json'],
  prints: 'item',
  async steps({ showAccount }, caller, { id }, { printer }) {
    const shown = unwrap(await showAccount(caller, { id, limit: Number.MAX_SAFE_INTEGER }));
    await printer.item(shown, shownAccountView);
  },
});

const accountRename = defineChange({
  verb: 'rename',
  summary: 'Change the name of an account',
  arguments: { id: ID },
  as: { description: 'The admin who renames their own account (default: the operator renames it)' },
  options: { name: { value: 'name', description: 'The new name', required: true } },
  examples: [
    'gatehouse account rename 1 --name "Acme Works"',
    'gatehouse account rename 1 --name "Acme Works" --as ada@acme.example',
  ],
  async run({ renameAccount, listNamesakes }, caller, { id, name }) {
    const renamed = unwrap(await renameAccount(caller, { id, name }));
    // An admin must not learn which other accounts there are.
    const namesakes = caller.kind === 'user' ? [] : unwrap(await listNamesakes(caller, renamed.account));
    return ok({ ...renamed, namesakes });
  },
  note: ({ account: { id, name }, already, namesakes }) => [
    ...namesakeWarning(namesakes),
    already
      ? `Account ${id} already has the name "${name}"; nothing changed.`
      : `Account ${id} is now called "${name}".`,
  ],
  document: ({ account }) => accountView.document(account),
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
    async facts({ showAccount, findAccountBelongings }, caller, { id }) {
      const limit = max + 1;
      const used = unwrap(await showAccount(caller, { id, limit }));
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
  { account, use }: ShownAccount,
  belongings: readonly BelongingCount[],
): readonly string[] | undefined {
  if (account.suspendedAt !== null) return undefined;
  const facts = `Account "${account.name}" (${account.id}) has ${counted(use.activeUsers, 'active user', { max })} and ${counted(use.apiTokens, 'active API token', { max })}.`;
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

export const commands = [
  accountCreate,
  accountList,
  accountShow,
  accountRename,
  accountSuspend,
  accountResume,
  policyCommands,
];
