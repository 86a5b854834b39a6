import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { toAccountId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { accountView } from '../../views/account-view.ts';

export function accountResume(account: Command, cli: Cli): void {
  const command = account
    .command('resume')
    .description('Accept the users and tokens of a suspended account again')
    .argument('<id>', "The account's id");
  changeOptions(command);
  describe(command, { examples: ['gatehouse account resume 1'] });
  command.action(async (text: string, output: OutputOptions) => {
    const id = toAccountId(text);
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
