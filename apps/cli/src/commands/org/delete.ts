import type { PeopledOrganization } from '@gatehouse/domain/organizations';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { askForConsent, requireConsent } from '../../input/consent.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toOrganizationId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { organizationView } from '../../views/organization-view.ts';

interface Options extends OutputOptions {
  readonly yes?: true;
}

export function orgDelete(org: Command, cli: Cli): void {
  outputOptions(org.command('delete').description('delete an organization and its memberships, for good'))
    .argument('<organization>', 'the organization, by its id')
    .option('--yes', 'do not ask; needed where there is no terminal to ask at')
    .addHelpText('after', examples('gatehouse org delete 42'))
    .action(async (text: string, { yes, ...output }: Options) => {
      const id = toOrganizationId(text);
      requireConsent(cli, yes, 'the organization is to be deleted');
      const printer = createPrinter(cli.streams, output);
      await using gatehouse = await cli.open();
      if (!yes) await confirm(cli, unwrap(await gatehouse.findOrganization(cli.operator, id)));
      const deleted = unwrap(await gatehouse.deleteOrganization(cli.operator, id));
      await printer.note(
        `Organization "${deleted.organization.name}" (${id}) is deleted. Members it had: ${deleted.members}.`,
      );
      await printer.document(organizationView.document(deleted.organization));
    });
}

async function confirm(cli: Cli, { organization, members }: PeopledOrganization): Promise<void> {
  const printer = createPrinter(cli.streams, {});
  await printer.note(
    `Organization "${organization.name}" (${organization.id}) of account ${organization.accountId}.`,
  );
  await printer.note(`Members who lose sight of it, beside the account's admins: ${members}.`);
  await askForConsent(cli, {
    question: 'It cannot be brought back, and its id is never used again. Delete it?',
    declined: 'Nothing was deleted.',
  });
}
