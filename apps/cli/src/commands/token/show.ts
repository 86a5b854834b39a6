import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import { asOption, examples, outputOptions } from '../../input/options.ts';
import { toName } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { tokenStoryView } from '../../views/token-story-view.ts';

interface Options extends OutputOptions {
  readonly as?: string;
}

export function tokenShow(token: Command, cli: Cli): void {
  outputOptions(
    token
      .command('show')
      .description('show all that is known of a token: its use, its history, and whether it works'),
  )
    .argument('<id-or-name>', "the token's id, or the name of an API token")
    .addOption(asOption("look only at the tokens of this admin's account"))
    .addHelpText(
      'after',
      `
A name shows the live token that has it, or after a rotation the successor. Several live tokens of one name are
listed instead (exit status 5). No command shows the token itself again.
${examples('gatehouse token show ERP', 'gatehouse token show 019a0000-0000-7000-8000-000000000000 --json')}`,
    )
    .action(async (text: string, options: Options) => {
      const idOrName = toName(text);
      await using gatehouse = await cli.open();
      const caller = await reader(cli, gatehouse, options.as);
      const story = unwrap(await gatehouse.showToken(caller, idOrName));
      await createPrinter(cli.streams, options).item(story, tokenStoryView);
    });
}
