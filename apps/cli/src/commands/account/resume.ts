import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toAccountId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { accountView } from '../../views/account-view.ts';

export function accountResume(account: Command, cli: Cli): void {
  outputOptions(
    account.command('resume').description('accept the users and tokens of a suspended account again'),
  )
    .argument('<id>', "the account's id")
    .addHelpText('after', examples('gatehouse account resume 1'))
    .action(async (text: string, output: OutputOptions) => {
      const id = toAccountId(text);
      const printer = createPrinter(cli.streams, output);
      await using gatehouse = await cli.open();
      const { account: resumed, already } = unwrap(await gatehouse.resumeAccount(cli.operator, id));
      await printer.note(
        already
          ? `Account "${resumed.name}" is not suspended; nothing changed.`
          : `Account "${resumed.name}" is resumed: its users are accepted again, and its tokens that have not ended meanwhile.`,
      );
      await printer.document(accountView.document(resumed));
    });
}
