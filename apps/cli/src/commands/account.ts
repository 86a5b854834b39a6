import type { AccountId, UsedAccount } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { unwrap } from '../errors/refusals.ts';
import { consentTo } from '../input/consent.ts';
import { type ChangeOptions, changeOptions, listOptions, REASON } from '../input/options.ts';
import { toAccountId } from '../input/parsers.ts';
import { createPrinter } from '../output/printer.ts';
import type { OutputOptions } from '../output/view.ts';
import { accountView } from '../views/account-view.ts';
import { counted } from '../views/count.ts';
import { shortTime } from '../views/time.ts';

export function accountCreate(account: Command, cli: Cli): void {
  const command = account.command('create').description('Create an account and print its id');
  changeOptions(command, { examples: ['gatehouse account create --name "Acme Works"'] });
  command.requiredOption('--name <name>', "The customer's name");
  command.action(async (options: OutputOptions & { readonly name: string }) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    const created = unwrap(await gatehouse.createAccount(cli.operator, { name: options.name }));
    await printer.note(`Created account "${created.name}". Its id:`);
    await printer.value(String(created.id), accountView.document(created));
  });
}

export function accountList(account: Command, cli: Cli): void {
  const command = account.command('list').description('List the accounts');
  listOptions(command, accountView, { examples: ['gatehouse account list'] });
  command.action(async (options: OutputOptions) => {
    await using gatehouse = await cli.open();
    const accounts = unwrap(await gatehouse.listAccounts(cli.operator));
    await createPrinter(cli.streams, options).list(accounts, accountView);
  });
}

/** Users and tokens are counted up to this number. */
const MAX_COUNTED = 1000;

export function accountSuspend(account: Command, cli: Cli): void {
  const command = account
    .command('suspend')
    .description('Refuse all users and tokens of an account, including its admins, until it is resumed')
    .argument('<id>', "The account's id", toAccountId)
    .option(...REASON);
  changeOptions(command, {
    asks: true,
    examples: ['gatehouse account suspend 1 --reason "invoice overdue"'],
  });
  command.action(async (id: AccountId, { reason, yes, ...output }: ChangeOptions) => {
    const confirm = consentTo(cli, 'account suspend', yes);
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open();
    const query = { id, limit: MAX_COUNTED + 1 };
    await confirm(async () => factsOf(unwrap(await gatehouse.findAccountUse(cli.operator, query))));
    const suspended = unwrap(await gatehouse.suspendAccount(cli.operator, { id, reason: reason ?? null }));
    const { name, suspendedAt } = suspended.account;
    await printer.note(
      suspended.already
        ? `Account "${name}" was already suspended at ${shortTime(suspendedAt)}.`
        : `Suspended account "${name}": its users and tokens are refused until \`gatehouse account resume ${id}\`.`,
    );
    await printer.document(accountView.document(suspended.account));
  });
}

function factsOf({ account, use }: UsedAccount): readonly string[] | undefined {
  if (account.suspendedAt !== null) return undefined;
  return [
    `Account "${account.name}" (${account.id}) has ${atMost(use.activeUsers, 'active user')} and ${atMost(use.liveTokens, 'live token')}.`,
  ];
}

function atMost(count: number, noun: string): string {
  return count > MAX_COUNTED ? `more than ${counted(MAX_COUNTED, noun)}` : counted(count, noun);
}

export function accountResume(account: Command, cli: Cli): void {
  const command = account
    .command('resume')
    .description('Accept the users and tokens of a suspended account again')
    .argument('<id>', "The account's id", toAccountId);
  changeOptions(command, { examples: ['gatehouse account resume 1'] });
  command.action(async (id: AccountId, output: OutputOptions) => {
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open();
    const { account: resumed, already } = unwrap(await gatehouse.resumeAccount(cli.operator, id));
    await printer.note(
      already
        ? `Account "${resumed.name}" is not suspended; nothing changed.`
        : `Resumed account "${resumed.name}": its users can sign in, and its tokens work again unless they were revoked or have expired.`,
    );
    await printer.document(accountView.document(resumed));
  });
}
