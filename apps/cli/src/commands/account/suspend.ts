import type { UsedAccount } from '@gatehouse/domain/accounts';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { askForConsent, requireConsent } from '../../input/consent.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toAccountId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { accountView } from '../../views/account-view.ts';
import { shortTime } from '../../views/time.ts';

interface Options extends OutputOptions {
  readonly reason?: string;
  readonly yes?: true;
}

/** Nobody needs to know more exactly what is at stake. */
const MOST_COUNTED = 1000;

export function accountSuspend(account: Command, cli: Cli): void {
  outputOptions(
    account
      .command('suspend')
      .description('refuse all users and tokens of an account, its admins too, until it is resumed'),
  )
    .argument('<id>', "the account's id")
    .option('--reason <text>', 'why, for the record')
    .option('--yes', 'do not ask; needed where there is no terminal to ask at')
    .addHelpText('after', examples('gatehouse account suspend 1 --reason "invoice overdue"'))
    .action(async (text: string, { reason, yes, ...output }: Options) => {
      const id = toAccountId(text);
      requireConsent(cli, yes, 'the account is to be suspended');
      const printer = createPrinter(cli.streams, output);
      await using gatehouse = await cli.open();
      if (!yes) {
        const used = unwrap(await gatehouse.findAccountUse(cli.operator, { id, limit: MOST_COUNTED + 1 }));
        await confirm(cli, used);
      }
      const suspended = unwrap(await gatehouse.suspendAccount(cli.operator, { id, reason: reason ?? null }));
      const { name, suspendedAt } = suspended.account;
      await printer.note(
        suspended.already
          ? `Account "${name}" was suspended already, at ${shortTime(suspendedAt)}.`
          : `Account "${name}" is suspended: its users and tokens are refused until \`gatehouse account resume ${id}\`.`,
      );
      await printer.document(accountView.document(suspended.account));
    });
}

async function confirm(cli: Cli, { account, use }: UsedAccount): Promise<void> {
  if (account.suspendedAt !== null) return;
  const printer = createPrinter(cli.streams, {});
  await printer.note(`Account "${account.name}" (${account.id}) is in use.`);
  await printer.note(`Active users: ${counted(use.activeUsers)}; live tokens: ${counted(use.liveTokens)}.`);
  await askForConsent(cli, {
    question: 'All of them will be refused at once, admins too, until it is resumed. Suspend it?',
    declined: 'Nothing was suspended.',
  });
}

function counted(count: number): string {
  return count > MOST_COUNTED ? `more than ${MOST_COUNTED.toLocaleString('en')}` : String(count);
}
