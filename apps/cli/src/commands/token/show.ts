import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import { asOption, examples, outputOptions } from '../../input/options.ts';
import { toTokenId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { tokenView } from '../../views/token-view.ts';

interface Options extends OutputOptions {
  readonly as?: string;
}

export function tokenShow(token: Command, cli: Cli): void {
  outputOptions(token.command('show').description('show what is known of a token; never the token itself'))
    .argument('<id>', "the token's id")
    .addOption(asOption("look only at the tokens of this admin's account"))
    .addHelpText('after', examples('gatehouse token show 019a0000-0000-7000-8000-000000000000'))
    .action(async (text: string, options: Options) => {
      const id = toTokenId(text);
      await using gatehouse = await cli.open();
      const caller = await reader(cli, gatehouse, options.as);
      const report = unwrap(await gatehouse.showToken(caller, id));
      await createPrinter(cli.streams, options).item(report, tokenView);
    });
}
