import type { TokenInspection } from '@gatehouse/domain/tokens';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { CommandError, usageError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-status.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import { asOption, examples, outputOptions } from '../../input/options.ts';
import { readPastedToken } from '../../input/pasted-tokens.ts';
import { createPrinter, type OutputOptions, type Printer } from '../../output/printer.ts';
import { inspectionDocument, sayingsView, stepView, whyNot } from '../../views/inspection-view.ts';
import { tokenView } from '../../views/token-view.ts';

interface Options extends OutputOptions {
  readonly as?: string;
}

export function tokenInspect(token: Command, cli: Cli): void {
  outputOptions(
    token
      .command('inspect')
      .description(
        'tell whose token this is, whether a server would accept it now, and if not, why (status 6)',
      ),
  )
    .addOption(asOption("look only at the tokens of this admin's account"))
    // A token given as an argument is refused here, where it can be said why.
    .allowExcessArguments()
    .addHelpText(
      'after',
      `
The token is read from standard input, or asked for without echo. The steps are those that a server takes, in its
order and with the TOKEN_ISSUER and TOKEN_AUDIENCE set here; what comes after the one at which the token stops is
not looked at. It is no use of the token, and nothing of it is recorded. With --json its record is the member
"record".
${examples('gatehouse token inspect', 'gatehouse token inspect < erp.token')}`,
    )
    .action(async (options: Options, { args }: Command) => {
      if (args.length > 0) {
        throw usageError(
          'A token is not taken from the command line, where others see it and the history of the shell keeps it: give it on standard input, or when asked.',
        );
      }
      const text = await readPastedToken(cli);
      await using gatehouse = await cli.open();
      const caller = await reader(cli, gatehouse, options.as);
      const inspection = unwrap(await gatehouse.inspectToken(caller, text));
      const printer = createPrinter(cli.streams, options);
      if (options.json) await printer.document(inspectionDocument(inspection));
      else await print(printer, inspection);
      const { stoppedAt, reason, report } = inspection;
      if (stoppedAt !== null) {
        throw new CommandError(
          EXIT.someFailed,
          `The token would be refused (${reason}): ${whyNot(stoppedAt, report)}.`,
        );
      }
      await printer.note('The token would be accepted.');
    });
}

async function print(printer: Printer, inspection: TokenInspection): Promise<void> {
  const { steps, keyId, report } = inspection;
  await printer.list([steps], stepView(inspection));
  if (keyId !== null) await printer.item(inspection, sayingsView);
  if (report) await printer.item(report, tokenView);
}
