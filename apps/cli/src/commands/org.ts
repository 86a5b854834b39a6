import type { AccountId } from '@gatehouse/domain/accounts';
import type { BelongingCount } from '@gatehouse/domain/extensions';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { usageError } from '../errors/command-error.ts';
import { unwrap } from '../errors/refusals.ts';
import { consentTo } from '../input/consent.ts';
import type { ChangeOptions, Filters } from '../input/options.ts';
import { accountOption, changeOptions, filteredColumns, listOptions } from '../input/options.ts';
import { toOrganizationId } from '../input/parsers.ts';
import { createPrinter } from '../output/printer.ts';
import type { OutputOptions } from '../output/view.ts';
import { counted } from '../views/count.ts';
import { organizationView } from '../views/organization-view.ts';

interface CreateOptions extends OutputOptions {
  readonly account: AccountId;
  readonly name: string;
  readonly description?: string;
}

export function orgCreate(org: Command, cli: Cli): void {
  const command = org
    .command('create')
    .description('Create an organization and print its id')
    .addOption(accountOption("The account's id").makeOptionMandatory())
    .requiredOption('--name <name>', "The organization's name")
    .option('--description <text>', 'What the organization is');
  changeOptions(command, { examples: ['gatehouse org create --account 1 --name "Press shop"'] });
  command.action(async ({ account: accountId, name, description, ...options }: CreateOptions) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    const input = { accountId, name, description: description ?? null };
    const created = unwrap(await gatehouse.createOrganization(cli.operator, input));
    await printer.note(`Created organization "${created.name}". Its id:`);
    await printer.value(String(created.id), organizationView.document(created));
  });
}

const FILTERS: Filters = { ACCOUNT: [accountOption('List only the organizations of this account')] };

export function orgList(org: Command, cli: Cli): void {
  const command = org.command('list').description('List the organizations of one account, or of all');
  listOptions(command, organizationView, { filters: FILTERS, examples: ['gatehouse org list --account 1'] });
  command.action(async (options: Partial<CreateOptions>) => {
    await using gatehouse = await cli.open();
    const input = { accountId: options.account };
    const organizations = unwrap(await gatehouse.listOrganizations(cli.operator, input));
    const printer = createPrinter(cli.streams, options);
    await printer.list(organizations, organizationView, filteredColumns(FILTERS, options));
  });
}

export function orgUpdate(org: Command, cli: Cli): void {
  const command = org
    .command('update')
    .description('Change the name or the description of an organization')
    .argument('<organization>', "The organization's id", toOrganizationId)
    .option('--name <name>', 'The new name')
    .option('--description <text>', 'The new description; an empty text removes it');
  changeOptions(command, {
    examples: ['gatehouse org update 42 --name Foundry', 'gatehouse org update 42 --description ""'],
  });
  command.action(async (id: OrganizationId, { name, description, ...output }: Partial<CreateOptions>) => {
    if (name === undefined && description === undefined) {
      throw usageError('Nothing to change: use --name, --description, or both.');
    }
    const changes = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    };
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open();
    const updated = unwrap(await gatehouse.updateOrganization(cli.operator, { id, ...changes }));
    const { organization, already } = updated;
    await printer.note(
      already
        ? `Organization "${organization.name}" (${id}) already has these values; nothing changed.`
        : `Updated organization "${organization.name}" (${id}).`,
    );
    await printer.document(organizationView.document(organization));
  });
}

export function orgDelete(org: Command, cli: Cli): void {
  const command = org
    .command('delete')
    .description('Permanently delete an organization and its memberships')
    .argument('<organization>', "The organization's id", toOrganizationId);
  changeOptions(command, { asks: true, examples: ['gatehouse org delete 42'] });
  command.action(async (id: OrganizationId, { yes, ...output }: ChangeOptions) => {
    const confirm = consentTo(cli, 'org delete', yes);
    const printer = createPrinter(cli.streams, output);
    await using gatehouse = await cli.open();
    const belongings = unwrap(await gatehouse.findBelongings(cli.operator, id));
    await confirm(async () => {
      const { organization, members } = unwrap(await gatehouse.findOrganization(cli.operator, id));
      const besides = [
        `${counted(members, 'member')}, besides the account's admins`,
        ...belongings.map(inWords),
      ];
      return [
        `Organization "${organization.name}" (${id}) of account ${organization.accountId} has ${besides.join(', and ')}.`,
      ];
    });
    const { organization, members } = unwrap(await gatehouse.deleteOrganization(cli.operator, id));
    await printer.note(
      `Deleted organization "${organization.name}" (${id}), which had ${[counted(members, 'member'), ...belongings.map(inWords)].join(' and ')}.`,
    );
    await printer.document(organizationView.document(organization));
  });
}

const inWords = ({ count, one, several }: BelongingCount) => counted(count, one, several);

export function orgAddMember(org: Command, cli: Cli): void {
  const command = org.command('add-member').description('Let a user of the account see an organization');
  changeMembers(command, cli, 'addMember', ({ already, email, name }) => ({
    note: already
      ? `${email} is already a member of "${name}"; nothing changed.`
      : `Added ${email} to "${name}".`,
    outcome: { already_member: already },
  }));
}

export function orgRemoveMember(org: Command, cli: Cli): void {
  const command = org
    .command('remove-member')
    .description('Remove a user from an organization; admins still see every organization of their account');
  changeMembers(command, cli, 'removeMember', ({ already, email, name }) => ({
    note: already
      ? `${email} is not a member of "${name}"; nothing changed.`
      : `Removed ${email} from "${name}".`,
    outcome: { was_member: !already },
  }));
}

/** `result` returns the note for users, and the member of the document that tells whether anything changed. */
function changeMembers(
  command: Command,
  cli: Cli,
  change: 'addMember' | 'removeMember',
  result: (changed: { already: boolean; email: string; name: string }) => { note: string; outcome: object },
): void {
  command
    .argument('<organization>', "The organization's id", toOrganizationId)
    .argument('<email>', "The user's email address");
  changeOptions(command, { examples: [`gatehouse org ${command.name()} 42 bo@acme.example`] });
  command.action(async (organizationId: OrganizationId, email: string, options: OutputOptions) => {
    const printer = createPrinter(cli.streams, options);
    await using gatehouse = await cli.open();
    const changed = unwrap(await gatehouse[change](cli.operator, { organizationId, email }));
    const { organization, user, already } = changed;
    const { note, outcome } = result({ already, email: user.email, name: organization.name });
    await printer.note(note);
    const member = { organization_id: organization.id, user: { id: user.id, email: user.email } };
    await printer.document({ ...member, ...outcome });
  });
}
