import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { CommandError, usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { reader } from '../../input/caller.ts';
import { type ActingOptions, asOption, outputOptions } from '../../input/options.ts';
import { toName } from '../../input/parsers.ts';
import { readPastedToken } from '../../input/pasted-tokens.ts';
import { createPrinter } from '../../output/printer.ts';
import { goneScopeNotes } from '../../views/gone-scopes.ts';
import { claimsView, inspectionDocument, stepView, whyNot } from '../../views/inspection-view.ts';
import { tokenHistoryView } from '../../views/token-history-view.ts';
import { tokenView } from '../../views/token-view.ts';

export function tokenShow(token: Command, cli: Cli): void {
  const command = token
    .command('show')
    .description("Show a token's use, its history, and whether it works")
    .argument('<id-or-name>', "The token's id, or the name of an API token", toName)
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
  command.action(async (reference: string, options: ActingOptions) => {
    await using gatehouse = await cli.open();
    const caller = await reader(cli, gatehouse, options.as);
    const found = unwrap(await gatehouse.showToken(caller, reference));
    const printer = createPrinter(cli, options);
    await printer.item(found, tokenHistoryView);
    for (const line of goneScopeNotes(cli.catalog, found.scopes)) await printer.note(line);
  });
}

export function tokenInspect(token: Command, cli: Cli): void {
  const command = token
    .command('inspect')
    .description('Show whose token this is and whether a server would accept it (exit status 6 if not)')
    .addOption(asOption("Look only at the tokens of this admin's account"))
    // A token given as an argument is refused in the action, with the reason.
    .allowExcessArguments();
  outputOptions(command, {
    notes: [
      'Reads the token from standard input, or asks for it without echo. The checks are those of a server, in the same order, with TOKEN_ISSUER and TOKEN_AUDIENCE as set here; checks after the first that fails are skipped. Inspecting a token does not count as using it. With --json, the token\'s record is the member "record".',
    ],
    examples: ['gatehouse token inspect', 'gatehouse token inspect < erp.token'],
  });
  command.action(async (options: ActingOptions, { args }: Command) => {
    if (args.length > 0) {
      throw usageError(
        'Do not pass a token as an argument, where other users and the shell history can see it: give it on standard input, or at the prompt.',
      );
    }
    const text = await readPastedToken(cli);
    await using gatehouse = await cli.open();
    const caller = await reader(cli, gatehouse, options.as);
    const inspection = unwrap(await gatehouse.inspectToken(caller, text));
    const printer = createPrinter(cli, options);
    if (options.json) {
      await printer.document(inspectionDocument(inspection));
    } else {
      await printer.list([inspection.steps], stepView(inspection));
      if (inspection.keyId !== null) await printer.item(inspection, claimsView);
      if (inspection.report) await printer.item(inspection.report, tokenView);
    }
    const { stoppedAt, reason, report } = inspection;
    if (stoppedAt !== null) {
      throw new CommandError(
        'someFailed',
        `The token would be refused (${reason}): ${whyNot(stoppedAt, report)}.`,
      );
    }
    await printer.note('The token would be accepted.');
  });
}
