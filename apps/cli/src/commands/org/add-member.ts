import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { toOrganizationId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';

export function orgAddMember(org: Command, cli: Cli): void {
  const command = org
    .command('add-member')
    .description('Let a user of the account see an organization')
    .argument('<organization>', "The organization's id")
    .argument('<email>', "The user's email address");
  changeOptions(command);
  describe(command, { examples: ['gatehouse org add-member 42 bo@acme.example'] });
  command.action(async (id: string, email: string, options: OutputOptions) => {
    const printer = createPrinter(cli.streams, options);
    const organizationId = toOrganizationId(id);
    await using gatehouse = await cli.open();
    const added = unwrap(await gatehouse.addMember(cli.operator, { organizationId, email }));
    const { organization, user, already } = added;
    await printer.note(
      already
        ? `${user.email} is already a member of "${organization.name}"; nothing changed.`
        : `Added ${user.email} to "${organization.name}".`,
    );
    await printer.document({
      organization_id: organization.id,
      user: { id: user.id, email: user.email },
      already_member: already,
    });
  });
}
