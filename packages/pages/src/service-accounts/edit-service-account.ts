import { err, ok, type Result } from '@gatehouse/domain';
import { isAnswered, type ServiceAccount } from '@gatehouse/domain/users';
import { type FieldErrors, type FieldValues, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { editServiceAccountPath, serviceAccountPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type ErrorPage, redirect, type View } from '../view.ts';
import { NOT_RESPONSIBLE, responsibleField, SERVICE_ACCOUNT_FIELDS, serviceAccountValues } from './fields.ts';
import { findServiceAccount } from './find-service-account.ts';

type Ports = Pick<PagePorts, 'listAdmins' | 'showServiceAccount' | 'updateServiceAccount'>;

type Values = FieldValues<typeof SERVICE_ACCOUNT_FIELDS>;

interface Shown {
  readonly account: ServiceAccount;
  readonly admins: Found<'listAdmins'>;
}

/** `/settings/service-accounts/{id}/edit`: changes the name, the description and the responsible admin. */
export function editServiceAccountPage(ports: Ports): SignedInPage<typeof SERVICE_ACCOUNT_FIELDS> {
  async function find(request: PageRequest): Promise<Result<Shown, ErrorPage>> {
    const found = await findServiceAccount(ports, request);
    if (!found.ok) return found;
    const admins = await ports.listAdmins(request.caller);
    return admins.ok ? ok({ account: found.value, admins: admins.value }) : err(denied(admins.error));
  }

  return {
    async show(request, typed) {
      const found = await find(request);
      return found.ok ? editView(request, found.value, typed) : found.error;
    },
    form: {
      fields: SERVICE_ACCOUNT_FIELDS,
      async submit(request, typed) {
        const found = await find(request);
        if (!found.ok) return found.error;
        const again = (errors: FieldErrors) => editView(request, found.value, typed, errors);
        const { id } = found.value.account.user;
        const { responsible, ...changes } = serviceAccountValues(typed);
        const isKept = responsible.email === found.value.account.responsible.email;
        const input = { id, ...changes, ...(!isKept && { responsible }) };
        const updated = await ports.updateServiceAccount(request.caller, input);
        if (updated.ok) return redirect(serviceAccountPath(id), 'service_account_changed');
        const { error } = updated;
        if (error.code === 'invalid_input') return again(error.problems);
        return error.code === 'responsible_not_fit' ? again([NOT_RESPONSIBLE]) : denied(error);
      },
    },
  };
}

function editView(
  request: PageRequest,
  { account, admins }: Shown,
  typed?: Values,
  errors: FieldErrors = [],
): View {
  const { user, description, responsible } = account;
  const kept = isAnswered(account) ? responsible.email : '';
  const values = typed ?? { name: user.name, description: description ?? '', responsible: kept };
  const path = serviceAccountPath(user.id);
  return formView(request, {
    title: `Edit ${user.name}`,
    above: backTo(path, 'Back to the service account'),
    action: editServiceAccountPath(user.id),
    fields: SERVICE_ACCOUNT_FIELDS,
    values,
    errors,
    content: (field) => html`${field('name')}
${field('description')}
${field('responsible', responsibleField(admins, values.responsible))}
<p class="actions">${button('Save', 'primary')}${buttonLink(path, 'Cancel')}</p>`,
  });
}
