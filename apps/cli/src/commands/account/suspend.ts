import type { UsedAccount } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { consentTo } from '../../input/consent.ts';
import { describe } from '../../input/help.ts';
import { changeOptions, REASON } from '../../input/options.ts';
import { toAccountId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { accountView } from '../../views/account-view.ts';
import { counted } from '../../views/count.ts';
import { shortTime } from '../../views/time.ts';

interface Options extends OutputOptions {
  readonly reason?: string;
  readonly yes?: true;
}

/** Users and tokens are counted up to this number. */
const MAX_COUNTED = 1000;

export function accountSuspend(account: Command, cli: Cli): void {
  const command = account
    .command('suspend')
    .description('Refuse all users and tokens of an account, including its admins, until it is resumed')
    .argument('<id>', "The account's id")
    .option(...REASON);
  changeOptions(command, { asks: true });
  describe(command, { examples: ['gatehouse account suspend 1 --reason "invoice overdue"'] });
  command.action(async (text: string, { reason, yes, ...output }: Options) => {
    const id = toAccountId(text);
    const confirm = consentTo(cli, 'account suspend', yes);
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open();
    await confirm(async () => {
      const limit = MAX_COUNTED + 1;
      return factsOf(unwrap(await gatehouse.findAccountUse(cli.operator, { id, limit })));
    });
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
