import { ROLES, SERVICE_DESCRIPTION_MAX_LENGTH } from '@gatehouse/domain/users';
import { defineChange, defineList, defineSteps } from '../described/kinds.ts';
import { unwrap } from '../errors/refusals.ts';
import { EMAIL, SERVICE_ACCOUNT } from '../input/parsers.ts';
import { serviceAccountView } from '../views/service-account-view.ts';
import { shownServiceAccountView } from '../views/shown-service-account-view.ts';
import { ACCOUNT, accountOf } from './account/policy-account.ts';
import { ofAccount } from './shared-options.ts';

/** The option `--as`: admins manage the service accounts of their account. */
const AS = { description: 'Act as this admin, on service accounts of the account' } as const;

const ID = { ...SERVICE_ACCOUNT, description: "The service account's id" };

const DESCRIPTION = `at most ${SERVICE_DESCRIPTION_MAX_LENGTH} characters`;

const create = defineChange({
  verb: 'create',
  summary: 'Create a service account and print its id',
  as: AS,
  options: {
    account: ACCOUNT,
    name: { value: 'name', description: 'The name, such as that of the program', required: true },
    role: { value: 'role', description: 'The role, which its tokens have', choices: ROLES, required: true },
    responsible: {
      ...EMAIL,
      description: 'The admin of the account who answers for the service account',
      required: true,
    },
    description: { value: 'text', description: `What the program does, ${DESCRIPTION}` },
  },
  notes: [
    'A service account has no password and cannot sign in. `gatehouse token create --for ID` creates a token for it. Its other changes are those of a user with the address ID@service.invalid: `gatehouse user set-role`, `disable` and `enable`, and `gatehouse org add-member`.',
  ],
  examples: [
    'gatehouse service-account create --account 1 --name ERP --role member --responsible ada@acme.example',
    'gatehouse service-account create --name ERP --role member --responsible ada@acme.example --as ada@acme.example',
  ],
  run: ({ createServiceAccount }, caller, { account, responsible: email, ...parts }) =>
    createServiceAccount(caller, {
      ...parts,
      accountId: accountOf(caller, account, 'as in `--account 1`, or use --as'),
      responsible: { email },
    }),
  note: ({ user: { name, role }, responsible }) =>
    `Created service account "${name}" (${role}), for which ${responsible.email} answers. Its id:`,
  bare: ({ user }) => String(user.id),
  document: serviceAccountView.document,
});

const list = defineList({
  verb: 'list',
  summary: 'List the service accounts of one account, or of all',
  as: AS,
  options: {
    account: ofAccount('service accounts'),
    unanswered: {
      description: 'List active service accounts for which no active admin answers',
      column: 'RESPONSIBLE',
    },
  },
  examples: ['gatehouse service-account list --account 1', 'gatehouse service-account list --unanswered'],
  view: serviceAccountView,
  run: ({ listServiceAccounts }, caller, { account: accountId, unanswered }) =>
    listServiceAccounts(caller, { accountId, isUnanswered: unanswered ? true : undefined }),
});

const show = defineSteps({
  verb: 'show',
  summary: 'Show a service account, with who answers for it and who created it',
  as: AS,
  arguments: { serviceAccount: ID },
  notes: ['`gatehouse token list --creator ID@service.invalid` lists its tokens.'],
  examples: ['gatehouse service-account show 12', 'gatehouse service-account show 12 --json'],
  prints: 'item',
  async steps({ showServiceAccount }, caller, { serviceAccount }, { printer }) {
    await printer.item(unwrap(await showServiceAccount(caller, serviceAccount)), shownServiceAccountView);
  },
});

const update = defineChange({
  verb: 'update',
  summary: 'Change the name, the description or the responsible admin of a service account',
  as: AS,
  arguments: { serviceAccount: ID },
  options: {
    name: { value: 'name', description: 'The new name' },
    description: {
      value: 'text',
      description: `The new description, ${DESCRIPTION}; an empty text removes it`,
    },
    responsible: { ...EMAIL, description: 'The admin of the account who answers for it from now on' },
  },
  examples: [
    'gatehouse service-account update 12 --responsible bo@acme.example',
    'gatehouse service-account update 12 --name "ERP, Hamburg" --as ada@acme.example',
  ],
  check: ({ name, description, responsible }) =>
    name === undefined && description === undefined && responsible === undefined
      ? 'Nothing to change: use --name, --description or --responsible.'
      : undefined,
  run: ({ updateServiceAccount }, caller, { serviceAccount: id, name, description, responsible: email }) =>
    updateServiceAccount(caller, {
      id,
      name,
      description,
      responsible: email === undefined ? undefined : { email },
    }),
  note: ({ before, after }) =>
    before === after
      ? `Service account "${after.user.name}" (${after.user.id}) already has these values; nothing was changed.`
      : `Updated service account "${after.user.name}" (${after.user.id}), for which ${after.responsible.email} answers.`,
  document: ({ after }) => serviceAccountView.document(after),
});

export const commands = [create, list, show, update];
