import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toOrganizationId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';

export function orgAddMember(org: Command, cli: Cli): void {
  outputOptions(org.command('add-member').description('let a user of the account see an organization'))
    .argument('<organization>', 'the organization, by its id')
    .argument('<email>', "the user's email address")
    .addHelpText('after', examples('gatehouse org add-member 42 bo@acme.example'))
    .action(async (id: string, email: string, options: OutputOptions) => {
      const printer = createPrinter(cli.streams, options);
      const organizationId = toOrganizationId(id);
      await using gatehouse = await cli.open();
      const added = unwrap(await gatehouse.addMember(cli.operator, { organizationId, email }));
      const { organization, user, already } = added;
      await printer.note(
        `${user.email} ${already ? 'was already' : 'is now'} a member of "${organization.name}".`,
      );
      await printer.document({
        organization_id: organization.id,
        user: { id: user.id, email: user.email },
        already_member: already,
      });
    });
}
