import { type OrganizationId, parseOrganizationId } from '@gatehouse/domain/organizations';
import { parseUserId } from '@gatehouse/domain/users';
import { activityOf } from '../activity/subject.ts';
import { leftOutNote, parametersOf } from '../address.ts';
import { errorSummary, type FieldErrors } from '../elements/form.ts';
import { buttonLink, lines } from '../elements/inline.ts';
import { backTo, facts, section } from '../elements/part.ts';
import { time } from '../elements/time.ts';
import { html } from '../html.ts';
import { deleteOrganizationPath, ORGANIZATIONS, organizationPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, type Outcome, redirect, view } from '../view.ts';
import { changePart } from './organization/change.ts';
import { CHANGE_FIELDS, type Changes } from './organization/change-fields.ts';
import { membersPart, removedBy } from './organization/members.ts';
import { organizationValues } from './organization-fields.ts';

type Ports = Pick<PagePorts, 'addMember' | 'removeMember' | 'showOrganization' | 'updateOrganization'>;

/**
 * `/settings/organizations/{id}`: shows an organization with its members. Admins change its name, its description and
 * its members here.
 */
export function organizationPage(ports: Ports): SignedInPage<typeof CHANGE_FIELDS> {
  async function show(request: PageRequest, typed: Changes = {}, errors: FieldErrors = []): Promise<Outcome> {
    const { leftOut, read } = parametersOf(request.query);
    const after = read('after', parseUserId);
    const found = await ports.showOrganization(request.caller, { id: idOf(request), after });
    if (!found.ok) return denied(found.error);
    const { organization } = found.value;
    const { id, name, description, createdAt } = organization;
    const isAdmin = request.user.role === 'admin';
    return view({
      title: name,
      above: backTo(ORGANIZATIONS, 'Organizations'),
      content: html`${leftOutNote(leftOut)}${errorSummary(errors, CHANGE_FIELDS)}
<div class="sheet">${facts([
        ['Description', description === null ? null : lines(description)],
        ['Created', time(createdAt, request.now)],
        ['ID', html`<code>${id}</code>`],
        [
          'Activity',
          isAdmin ? html`<a href="${activityOf('organization', id)}">Changes to this organization</a>` : null,
        ],
      ])}</div>
${membersPart(request, found.value, { typed, errors, isFirst: after === undefined })}
${isAdmin && changePart(request, organization, typed, errors)}
${
  isAdmin &&
  section(
    'Delete',
    html`<p>Members can no longer access a deleted organization, and its data is gone.</p>
<p>${buttonLink(deleteOrganizationPath(id), 'Delete organization', 'danger')}</p>`,
    'danger',
  )
}`,
      ...(errors.length > 0 && { status: 422 }),
    });
  }

  async function submit(request: PageRequest, id: OrganizationId, typed: Changes, target: string) {
    const { caller } = request;
    const userId = removedBy(target);
    if (userId !== undefined) {
      const removed = await ports.removeMember(caller, { organizationId: id, user: { id: userId } });
      if (!removed.ok) return denied(removed.error);
      return redirect(organizationPath(id), removed.value.already ? 'not_a_member' : 'member_removed');
    }
    if (target === 'add') {
      const added = await ports.addMember(caller, {
        organizationId: id,
        user: { email: (typed.email ?? '').trim() },
      });
      if (added.ok)
        return redirect(organizationPath(id), added.value.already ? 'already_a_member' : 'member_added');
      if (added.error.code !== 'user_not_found') return denied(added.error);
      return show(request, typed, [{ field: 'email', message: 'No user of this account has this address.' }]);
    }
    const { name = '', description = '' } = typed;
    const values = organizationValues({ name, description });
    const changed = await ports.updateOrganization(caller, { id, ...values });
    if (changed.ok) return redirect(organizationPath(id), 'organization_changed');
    const { error } = changed;
    return error.code === 'invalid_input' ? show(request, typed, error.problems) : denied(error);
  }

  return {
    show,
    form: {
      fields: CHANGE_FIELDS,
      async submit(request, typed, target) {
        const id = idOf(request);
        return id === undefined ? errorPage('not_found') : submit(request, id, typed, target);
      },
    },
  };
}

const idOf = ({ params }: PageRequest) => parseOrganizationId(params.id ?? '');
