import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import { type ActingOptions, asOption, outputOptions } from '../../input/options.ts';
import { toName } from '../../input/parsers.ts';
import { createPrinter } from '../../output/printer.ts';
import { tokenHistoryView } from '../../views/token-history-view.ts';

export function tokenShow(token: Command, cli: Cli): void {
  const command = token
    .command('show')
    .description("Show a token's use, its history, and whether it works")
    .argument('<id-or-name>', "The token's id, or the name of an API token")
    .addOption(asOption("Look only at the tokens of this admin's account"));
  outputOptions(command, {
    notes: [
      'A name shows the live token that has it; after a rotation, the new one. If several live tokens have the name, they are listed (exit status 5). The token itself is never shown again.',
    ],
    examples: [
      'gatehouse token show ERP',
      'gatehouse token show 019a0000-0000-7000-8000-000000000000 --json',
    ],
  });
  command.action(async (text: string, options: ActingOptions) => {
    const reference = toName(text);
    await using gatehouse = await cli.open();
    const caller = await reader(cli, gatehouse, options.as);
    const found = unwrap(await gatehouse.showToken(caller, reference));
    await createPrinter(cli.streams, options).item(found, tokenHistoryView);
  });
}
