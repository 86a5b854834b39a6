import type { Organization } from '@gatehouse/domain/organizations';
import { type FieldErrors, form, showFields } from '../../elements/form.ts';
import { button } from '../../elements/inline.ts';
import { section } from '../../elements/part.ts';
import { type Html, html } from '../../html.ts';
import { organizationPath } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';
import { CHANGE_FIELDS, type Changes } from './change-fields.ts';

/** Renders the form that changes the name and the description. */
export function changePart(
  request: PageRequest,
  organization: Organization,
  typed: Changes,
  errors: FieldErrors,
): Html {
  const isTyped = errors.some(({ field }) => field !== 'email') || Boolean(typed.name);
  const { name, description } = isTyped ? typed : organization;
  const field = showFields(CHANGE_FIELDS, { name, description: description ?? '' }, errors);
  return section(
    'Change',
    form(request, {
      action: organizationPath(organization.id),
      target: 'change',
      content: html`${field('name')}\n${field('description')}\n${button('Save')}`,
    }),
  );
}
