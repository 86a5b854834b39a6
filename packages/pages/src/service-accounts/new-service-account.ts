import { ROLES } from '@gatehouse/domain/users';
import { type FieldErrors, type FieldValues, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { NEW_SERVICE_ACCOUNT, SERVICE_ACCOUNTS, serviceAccountPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, withAlert } from '../view.ts';
import { NOT_RESPONSIBLE, responsibleField, SERVICE_ACCOUNT_FIELDS, serviceAccountValues } from './fields.ts';

type Ports = Pick<PagePorts, 'createServiceAccount' | 'listAdmins'>;

const FIELDS = {
  ...SERVICE_ACCOUNT_FIELDS,
  role: {
    label: 'Role',
    type: 'radio',
    isRequired: true,
    choices: [
      {
        value: 'member',
        label: 'Member',
        hint: 'Its tokens read the organizations to which the service account belongs.',
      },
      {
        value: 'admin',
        label: 'Admin',
        hint: 'Its tokens read every organization of the account, as far as their scopes allow.',
      },
    ],
  },
} as const;

type Values = FieldValues<typeof FIELDS>;

const OLDER_EDITION =
  'A server or a command of an older version is connected to the database. It does not know service accounts, so none was created. Try again after all servers were upgraded.';

/** `/settings/service-accounts/new`: creates a service account. For admins. */
export function newServiceAccountPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function admins({ caller, user }: PageRequest) {
    return user.role === 'admin' ? ports.listAdmins(caller) : undefined;
  }

  return {
    async show(request, typed) {
      const found = await admins(request);
      if (!found) return errorPage('not_allowed');
      return found.ok ? formOf(request, found.value, typed) : denied(found.error);
    },
    form: {
      fields: FIELDS,
      async submit(request, typed) {
        const found = await admins(request);
        if (!found) return errorPage('not_allowed');
        if (!found.ok) return denied(found.error);
        const again = (errors: FieldErrors = []) => formOf(request, found.value, typed, errors);
        const role = ROLES.find((each) => each === typed.role);
        if (role === undefined) return again([{ field: 'role', message: 'Choose a role.' }]);
        const { accountId } = request.caller;
        const input = { ...serviceAccountValues(typed), accountId, role };
        const created = await ports.createServiceAccount(request.caller, input);
        if (created.ok) return redirect(serviceAccountPath(created.value.user.id), 'service_account_created');
        const { error } = created;
        switch (error.code) {
          case 'invalid_input':
            return again(error.problems);
          case 'responsible_not_fit':
            return again([NOT_RESPONSIBLE]);
          case 'older_edition_serves':
            return withAlert(again(), OLDER_EDITION, 409);
          default:
            return denied(error);
        }
      },
    },
  };
}

function formOf(
  request: PageRequest,
  admins: Found<'listAdmins'>,
  values: Values = { name: '', description: '', responsible: request.user.email, role: 'member' },
  errors: FieldErrors = [],
): View {
  return formView(request, {
    title: 'Create service account',
    above: backTo(SERVICE_ACCOUNTS, 'Service accounts'),
    action: NEW_SERVICE_ACCOUNT,
    fields: FIELDS,
    values,
    errors,
    content: (field) => html`${field('name')}
${field('description')}
${field('role')}
${field('responsible', responsibleField(admins, values.responsible))}
<p class="actions">${button('Create service account', 'primary')}${buttonLink(SERVICE_ACCOUNTS, 'Cancel')}</p>`,
  });
}
