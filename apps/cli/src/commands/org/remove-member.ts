import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { describe } from '../../input/help.ts';
import { changeOptions } from '../../input/options.ts';
import { toOrganizationId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';

export function orgRemoveMember(org: Command, cli: Cli): void {
  const command = org
    .command('remove-member')
    .description('Remove a user from an organization; admins still see every organization of their account')
    .argument('<organization>', "The organization's id")
    .argument('<email>', "The user's email address");
  changeOptions(command);
  describe(command, { examples: ['gatehouse org remove-member 42 bo@acme.example'] });
  command.action(async (id: string, email: string, output: OutputOptions) => {
    const printer = createPrinter(cli.streams, output);
    const organizationId = toOrganizationId(id);
    await using gatehouse = await cli.open();
    const { organization, user, already } = unwrap(
      await gatehouse.removeMember(cli.operator, { organizationId, email }),
    );
    await printer.note(
      already
        ? `${user.email} is not a member of "${organization.name}"; nothing changed.`
        : `Removed ${user.email} from "${organization.name}".`,
    );
    await printer.document({
      organization_id: organization.id,
      user: { id: user.id, email: user.email },
      was_member: !already,
    });
  });
}
