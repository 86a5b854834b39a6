import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toOrganizationId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { organizationView } from '../../views/organization-view.ts';

interface Options extends OutputOptions {
  readonly name?: string;
  readonly description?: string;
}

export function orgUpdate(org: Command, cli: Cli): void {
  outputOptions(org.command('update').description('change the name or the description of an organization'))
    .argument('<organization>', 'the organization, by its id')
    .option('--name <name>', 'its new name')
    .option('--description <text>', 'what it is; an empty text leaves it without a description')
    .addHelpText(
      'after',
      examples('gatehouse org update 42 --name Foundry', 'gatehouse org update 42 --description ""'),
    )
    .action(async (text: string, { name, description, ...output }: Options) => {
      const id = toOrganizationId(text);
      if (name === undefined && description === undefined) {
        throw usageError('Say what is to change: --name, --description, or both.');
      }
      const changes = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
      };
      const printer = createPrinter(cli.streams, output);
      await using gatehouse = await cli.open();
      const { organization, already } = unwrap(
        await gatehouse.updateOrganization(cli.operator, { id, ...changes }),
      );
      await printer.note(
        already
          ? `Organization "${organization.name}" is so already; nothing changed.`
          : `Organization "${organization.name}" (${id}) is updated.`,
      );
      await printer.document(organizationView.document(organization));
    });
}
