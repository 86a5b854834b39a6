import { type FieldErrors, type FieldValues, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { guardedForm, isGuardError } from '../forms/forbidden.ts';
import { html } from '../html.ts';
import { NEW_ORGANIZATION, ORGANIZATIONS, organizationPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { errorPage, redirect } from '../view.ts';
import { ORGANIZATION_FIELDS, organizationValues } from './organization-fields.ts';

type Ports = Pick<PagePorts, 'createOrganization'>;
type Values = FieldValues<typeof ORGANIZATION_FIELDS>;

/** `/settings/organizations/new`: creates an organization. For admins. */
export function newOrganizationPage({ createOrganization }: Ports): SignedInPage<typeof ORGANIZATION_FIELDS> {
  return {
    show: (request, typed) => show(request, typed),
    form: {
      fields: ORGANIZATION_FIELDS,
      async submit(request, typed) {
        const { name, description } = organizationValues(typed);
        const { accountId } = request.caller;
        const input = { accountId, name, description: description || null };
        const created = await createOrganization(request.caller, input);
        if (created.ok) return redirect(organizationPath(created.value.id), 'organization_created');
        const { error } = created;
        if (error.code === 'invalid_input') return show(request, typed, error.problems);
        const shown = show(request, typed);
        return isGuardError(error) && shown.kind === 'view'
          ? guardedForm(shown, error)
          : errorPage('not_allowed');
      },
    },
  };
}

function show(
  request: PageRequest,
  values: Values = { name: '', description: '' },
  errors: FieldErrors = [],
) {
  if (request.user.role !== 'admin') return errorPage('not_allowed');
  return formView(request, {
    title: 'Create organization',
    above: backTo(ORGANIZATIONS, 'Organizations'),
    action: NEW_ORGANIZATION,
    fields: ORGANIZATION_FIELDS,
    values,
    errors,
    content: (field) => html`${field('name')}
${field('description')}
<p class="actions">${button('Create organization', 'primary')}${buttonLink(ORGANIZATIONS, 'Cancel')}</p>`,
  });
}
