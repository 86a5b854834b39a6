import { replaceInvisible } from '@gatehouse/domain';
import { parseOrganizationId } from '@gatehouse/domain/organizations';
import { type FieldErrors, formView } from '../elements/form.ts';
import { button, buttonLink, name } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { backTo } from '../elements/part.ts';
import { guardedForm, isGuardError } from '../forms/forbidden.ts';
import { type Html, html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { deleteOrganizationPath, ORGANIZATIONS, organizationPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type ErrorPage, errorPage, redirect, type View } from '../view.ts';

type Ports = Pick<PagePorts, 'deleteOrganization' | 'findOrganizationLosses'>;

type Losses = Found<'findOrganizationLosses'>;

const FIELDS = {
  name: { label: 'Name of the organization', isRequired: true, maxLength: 200 },
} as const;

/**
 * `/settings/organizations/{id}/delete`: says what would be lost, and deletes the organization once the user has typed
 * its name. For admins.
 */
export function deleteOrganizationPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function find(request: PageRequest): Promise<Losses | ErrorPage> {
    const id = parseOrganizationId(request.params.id ?? '');
    if (id === undefined) return errorPage(request.user.role === 'admin' ? 'not_found' : 'not_allowed');
    const found = await ports.findOrganizationLosses(request.caller, id);
    return found.ok ? found.value : denied(found.error);
  }

  return {
    async show(request, typed) {
      const losses = await find(request);
      return 'kind' in losses ? losses : deleteView(request, losses, typed?.name);
    },
    form: {
      fields: FIELDS,
      async submit(request, typed) {
        const losses = await find(request);
        if ('kind' in losses) return losses;
        const { organization } = losses;
        if (!isName(typed.name, organization.name)) {
          const message = 'This is not the name of this organization.';
          return deleteView(request, losses, typed.name, [{ field: 'name', message }]);
        }
        const deleted = await ports.deleteOrganization(request.caller, organization.id);
        if (deleted.ok) return redirect(ORGANIZATIONS, 'organization_deleted');
        const { error } = deleted;
        return isGuardError(error)
          ? guardedForm(deleteView(request, losses, typed.name), error)
          : denied(error);
      },
    },
  };
}

/** Whether the user typed the name as the page shows it: with invisible characters replaced, and spaces joined. */
function isName(typed: string, name: string): boolean {
  const shown = (text: string) => replaceInvisible(text).replaceAll(/\s+/g, ' ').trim();
  return shown(typed) === shown(name);
}

function deleteView(request: PageRequest, losses: Losses, typed = '', errors: FieldErrors = []): View {
  const { id, name: text } = losses.organization;
  return formView(request, {
    title: `Delete ${text}`,
    above: backTo(organizationPath(id), text),
    lead: warning(consequences(losses)),
    action: deleteOrganizationPath(id),
    fields: FIELDS,
    values: { name: typed },
    errors,
    content: (field) => html`${field('name', { hint: html`Type ${name(text)} to confirm.` })}
<p class="actions">${button('Delete organization', 'danger')}${buttonLink(organizationPath(id), 'Cancel')}</p>`,
  });
}

function consequences({ organization, members, belongings }: Losses): Html {
  const loses =
    members === 0
      ? html`<p><strong>${name(organization.name)} has no members.</strong></p>`
      : html`<p><strong>${inWords(members, 'member', 'members')} can no longer access ${name(organization.name)}.</strong> Their users and tokens stay.</p>`;
  const rows = belongings.map(({ count, one, several }) => html`<li>${inWords(count, one, several)}</li>`);
  return html`${loses}${rows.length > 0 && html`<p>This is deleted, too:</p><ul>${rows}</ul>`}
<p>The activity keeps what happened. This cannot be undone.</p>`;
}

const inWords = (count: number, one: string, several: string) =>
  `${new Intl.NumberFormat('en').format(count)} ${count === 1 ? one : several}`;
