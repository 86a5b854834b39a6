import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { toOrganizationId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { organizationView } from '../../views/organization-view.ts';

interface Options extends OutputOptions {
  readonly name?: string;
  readonly description?: string;
}

export function orgUpdate(org: Command, cli: Cli): void {
  const command = org
    .command('update')
    .description('Change the name or the description of an organization')
    .argument('<organization>', "The organization's id")
    .option('--name <name>', 'The new name')
    .option('--description <text>', 'The new description; an empty text removes it');
  changeOptions(command);
  describe(command, {
    examples: ['gatehouse org update 42 --name Foundry', 'gatehouse org update 42 --description ""'],
  });
  command.action(async (text: string, { name, description, ...output }: Options) => {
    const id = toOrganizationId(text);
    if (name === undefined && description === undefined) {
      throw usageError('Nothing to change: use --name, --description, or both.');
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
        ? `Organization "${organization.name}" (${id}) already has these values; nothing changed.`
        : `Updated organization "${organization.name}" (${id}).`,
    );
    await printer.document(organizationView.document(organization));
  });
}
