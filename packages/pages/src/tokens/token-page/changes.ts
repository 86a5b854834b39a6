import { isLive, MAX_DESCRIPTION_LENGTH, type TokenPage } from '@gatehouse/domain/tokens';
import { type FieldErrors, form, type SomeValues, showFields } from '../../elements/form.ts';
import { button } from '../../elements/inline.ts';
import { section } from '../../elements/part.ts';
import { type Html, html } from '../../html.ts';
import { tokenPath } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';

/** The field for what a token is for, also of the form that makes a token. */
export const DESCRIPTION = {
  label: 'Description',
  hint: `Optional. For example, who to ask about the program that uses the token. At most ${MAX_DESCRIPTION_LENGTH} characters.`,
  maxLength: MAX_DESCRIPTION_LENGTH,
} as const;

export const CHANGE_FIELDS = {
  name: { label: 'Name', isRequired: true, maxLength: 200 },
  description: DESCRIPTION,
  end: {
    label: 'Last day',
    type: 'date',
    hint: 'The new date must be earlier than the current one. The token works until the end of the new date (UTC).',
    isRequired: true,
  },
} as const;

/** The values that the user typed. Each form sends one field, its target, and the values of the others are then empty. */
export type Changes = SomeValues<typeof CHANGE_FIELDS> & { readonly of?: ChangeField };

/** A field of the forms, each of them the target of its own form. */
export type ChangeField = keyof typeof CHANGE_FIELDS;

/** Renders the forms that rename and describe an API token or set an earlier expiry; null for any other token. */
export function changesPart(
  request: PageRequest,
  token: TokenPage,
  typed: Changes,
  errors: FieldErrors,
): Html | null {
  if (!isLive(token, request.now) || token.kind !== 'api') return null;
  // A description that was typed may be empty, and then removes the one that the token has.
  const description = typed.of === 'description' ? typed.description : token.description;
  const values = { name: typed.name || token.name, description: description ?? '', end: typed.end ?? '' };
  const field = showFields(CHANGE_FIELDS, values, errors);
  const change = (target: ChangeField, label: string) =>
    form(request, { action: tokenPath(token.id), target, content: html`${field(target)}\n${button(label)}` });
  return section(
    'Edit',
    html`${change('name', 'Rename')}\n${change('description', 'Save description')}\n${change('end', 'Set expiry')}`,
  );
}
