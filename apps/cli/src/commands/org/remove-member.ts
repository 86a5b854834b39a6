import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { unwrap } from '../../errors/refusals.ts';
import { examples, outputOptions } from '../../input/options.ts';
import { toOrganizationId } from '../../input/parsers.ts';
import { createPrinter, type OutputOptions } from '../../output/printer.ts';

export function orgRemoveMember(org: Command, cli: Cli): void {
  outputOptions(
    org
      .command('remove-member')
      .description('let a user see an organization no more; admins go on seeing all of their account'),
  )
    .argument('<organization>', 'the organization, by its id')
    .argument('<email>', "the user's email address")
    .addHelpText('after', examples('gatehouse org remove-member 42 bo@acme.example'))
    .action(async (id: string, email: string, output: OutputOptions) => {
      const printer = createPrinter(cli.streams, output);
      const organizationId = toOrganizationId(id);
      await using gatehouse = await cli.open();
      const { organization, user, already } = unwrap(
        await gatehouse.removeMember(cli.operator, { organizationId, email }),
      );
      await printer.note(
        `${user.email} ${already ? 'was no member' : 'is not a member any more'} of "${organization.name}".`,
      );
      await printer.document({
        organization_id: organization.id,
        user: { id: user.id, email: user.email },
        was_member: !already,
      });
    });
}
