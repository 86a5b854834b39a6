import { ok } from '@gatehouse/domain';
import type { BelongingCount } from '@gatehouse/domain/extensions';
import type { Organization, OrganizationMember } from '@gatehouse/domain/organizations';
import type { User, UserId } from '@gatehouse/domain/users';
import { defineChange, defineList, defineSteps } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { ACCOUNT_ID, ORGANIZATION_ID } from '../input/parsers.ts';
import { counted } from '../views/count.ts';
import { organizationView } from '../views/organization-view.ts';
import { shownOrganizationView } from '../views/shown-organization-view.ts';
import { ofAccount, USER } from './shared-options.ts';

/** The option `--as`: admins manage the organizations of their account. */
const AS = { description: 'Act as this admin, on organizations of the account' } as const;

const ID = { ...ORGANIZATION_ID, description: "The organization's id" };

const orgCreate = defineChange({
  verb: 'create',
  summary: 'Create an organization and print its id',
  as: AS,
  options: {
    account: { ...ACCOUNT_ID, description: "The account's id", required: true },
    name: { value: 'name', description: "The organization's name", required: true },
    description: { value: 'text', description: 'What the organization is' },
  },
  examples: [
    'gatehouse org create --account 1 --name "Press shop"',
    'gatehouse org create --account 1 --name Foundry --as ada@acme.example',
  ],
  run: ({ createOrganization }, caller, { account: accountId, name, description }) =>
    createOrganization(caller, { accountId, name, description: description ?? null }),
  note: ({ name }) => `Created organization "${name}". Its id:`,
  bare: ({ id }) => String(id),
  document: organizationView.document,
});

const orgList = defineList({
  verb: 'list',
  summary: 'List the organizations of one account, or of all',
  as: AS,
  options: {
    account: ofAccount('organizations'),
  },
  examples: ['gatehouse org list --account 1'],
  view: organizationView,
  run: ({ listOrganizations }, caller, { account: accountId }) => listOrganizations(caller, { accountId }),
});

const orgShow = defineSteps({
  verb: 'show',
  summary: 'Show an organization with its members',
  as: AS,
  arguments: { organization: ID },
  examples: ['gatehouse org show 42', 'gatehouse org show 42 --json'],
  prints: 'item',
  async steps({ showOrganization }, caller, { organization: id }, { printer }) {
    const members: OrganizationMember[] = [];
    for (let after: UserId | undefined; ; ) {
      const page = unwrap(await showOrganization(caller, { id, after }));
      members.push(...page.members);
      after = page.next;
      if (after === undefined) return printer.item({ ...page.organization, members }, shownOrganizationView);
    }
  },
});

const orgUpdate = defineChange({
  verb: 'update',
  summary: 'Change the name or the description of an organization',
  as: AS,
  arguments: { organization: ID },
  options: {
    name: { value: 'name', description: 'The new name' },
    description: { value: 'text', description: 'The new description; an empty text removes it' },
  },
  examples: [
    'gatehouse org update 42 --name Foundry',
    'gatehouse org update 42 --description ""',
    'gatehouse org update 42 --name Foundry --as ada@acme.example',
  ],
  check: ({ name, description }) =>
    name === undefined && description === undefined
      ? 'Nothing to change: use --name, --description, or both.'
      : undefined,
  run: ({ updateOrganization }, caller, { organization: id, name, description }) =>
    updateOrganization(caller, {
      id,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    }),
  note: ({ organization: { id, name }, already }) =>
    already
      ? `Organization "${name}" (${id}) already has these values; nothing changed.`
      : `Updated organization "${name}" (${id}).`,
  document: ({ organization }) => organizationView.document(organization),
});

const orgDelete = defineChange({
  verb: 'delete',
  summary: 'Permanently delete an organization and its memberships',
  as: AS,
  arguments: { organization: ID },
  examples: ['gatehouse org delete 42', 'gatehouse org delete 42 --as ada@acme.example'],
  asks: {
    action: 'delete the organization',
    question: 'This cannot be undone, and the id will not be used again. Delete the organization?',
    declined: 'The organization was not deleted.',
    async facts({ findOrganizationLosses }, caller, { organization: id }) {
      const { organization, members, belongings } = unwrap(await findOrganizationLosses(caller, id));
      const besides = [
        `${counted(members, 'member')}, not counting the account's admins`,
        ...belongings.map(inWords),
      ];
      return ok([
        `Organization "${organization.name}" (${id}) of account ${organization.accountId} has ${besides.join(', and ')}.`,
      ]);
    },
  },
  async run({ findOrganizationLosses, deleteOrganization }, caller, { organization: id }) {
    const { belongings } = unwrap(await findOrganizationLosses(caller, id));
    return ok({ ...unwrap(await deleteOrganization(caller, id)), belongings });
  },
  note: ({ organization: { id, name }, members, belongings }) =>
    `Deleted organization "${name}" (${id}), which had ${[counted(members, 'member'), ...belongings.map(inWords)].join(' and ')}.`,
  document: ({ organization }) => organizationView.document(organization),
});

const inWords = ({ count, one, several }: BelongingCount) => counted(count, one, { several });

const MEMBER = {
  organization: ID,
  email: USER,
};

const orgAddMember = defineChange({
  verb: 'add-member',
  summary: 'Let a user of the account see an organization',
  as: AS,
  arguments: MEMBER,
  examples: [
    'gatehouse org add-member 42 bo@acme.example',
    'gatehouse org add-member 42 bo@acme.example --as ada@acme.example',
  ],
  run: ({ addMember }, caller, { organization: organizationId, email }) =>
    addMember(caller, { organizationId, user: { email } }),
  note: ({ organization: { name }, user: { email }, already }) =>
    already ? `${email} is already a member of "${name}"; nothing changed.` : `Added ${email} to "${name}".`,
  document: ({ already, ...member }) => ({ ...memberDocument(member), already_member: already }),
});

const orgRemoveMember = defineChange({
  verb: 'remove-member',
  summary: 'Remove a user from an organization; admins still see every organization of their account',
  as: AS,
  arguments: MEMBER,
  examples: [
    'gatehouse org remove-member 42 bo@acme.example',
    'gatehouse org remove-member 42 eve@acme.example --as ada@acme.example',
  ],
  run: ({ removeMember }, caller, { organization: organizationId, email }) =>
    removeMember(caller, { organizationId, user: { email } }),
  note: ({ organization: { name }, user: { email }, already }) =>
    already ? `${email} is not a member of "${name}"; nothing changed.` : `Removed ${email} from "${name}".`,
  document: ({ already, ...member }) => ({ ...memberDocument(member), was_member: !already }),
});

interface Member {
  readonly organization: Pick<Organization, 'id'>;
  readonly user: Pick<User, 'id' | 'email'>;
}

function memberDocument({ organization, user }: Member) {
  return { organization_id: organization.id, user: { id: user.id, email: user.email } };
}

export const commands = [orgCreate, orgList, orgShow, orgUpdate, orgDelete, orgAddMember, orgRemoveMember];
