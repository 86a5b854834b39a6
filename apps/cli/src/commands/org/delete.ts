import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { consentTo } from '../../input/consent.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { toOrganizationId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';
import { counted } from '../../views/count.ts';
import { organizationView } from '../../views/organization-view.ts';

interface Options extends OutputOptions {
  readonly yes?: true;
}

export function orgDelete(org: Command, cli: Cli): void {
  const command = org
    .command('delete')
    .description('Permanently delete an organization and its memberships')
    .argument('<organization>', "The organization's id");
  changeOptions(command, { asks: true });
  describe(command, { examples: ['gatehouse org delete 42'] });
  command.action(async (text: string, { yes, ...output }: Options) => {
    const id = toOrganizationId(text);
    const confirm = consentTo(cli, 'org delete', yes);
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open();
    await confirm(async () => {
      const { organization, members } = unwrap(await gatehouse.findOrganization(cli.operator, id));
      return [
        `Organization "${organization.name}" (${id}) of account ${organization.accountId} has ${counted(members, 'member')}, besides the account's admins.`,
      ];
    });
    const deleted = unwrap(await gatehouse.deleteOrganization(cli.operator, id));
    await printer.note(
      `Deleted organization "${deleted.organization.name}" (${id}), which had ${counted(deleted.members, 'member')}.`,
    );
    await printer.document(organizationView.document(deleted.organization));
  });
}
