import { isLive, type TokenPage } from '@gatehouse/domain/tokens';
import { type FieldErrors, form, type SomeValues, showFields } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { section } from '../elements/part.ts';
import { useInWords } from '../elements/token-words.ts';
import { html } from '../html.ts';
import { revokePath, rotatePath, tokenPath } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';

export const CHANGE_FIELDS = {
  name: { label: 'Name', isRequired: true, maxLength: 200 },
  end: {
    label: 'Last day',
    type: 'date',
    hint: 'The new date must be earlier than the current one. The token works until the end of the new date (UTC).',
    isRequired: true,
  },
} as const;

/**
 * The values that the user typed. Each of the two forms sends one field, and the value of the other field is then
 * empty.
 */
export type Changes = SomeValues<typeof CHANGE_FIELDS>;

/**
 * Renders the forms that rename a token or set an earlier expiry, and the links to rotate and to revoke the token; null
 * for an ended token.
 */
export function changesPart(request: PageRequest, token: TokenPage, typed: Changes, errors: FieldErrors) {
  const { now } = request;
  if (!isLive(token, now)) return null;
  const isApi = token.kind === 'api';
  const use = useInWords(token.usage, now);
  const used =
    use === null ? html`<p>This token has never been used.</p>` : html`<p>This token was used ${use}.</p>`;
  const isRotatable = isApi && token.replacement === null && token.replacedAt === null;
  return html`${isApi && changeForms(request, token, typed, errors)}
${
  isRotatable &&
  section(
    'Rotate',
    html`<p>Creates a new token with the same name, scopes and lifetime. This token keeps working until the new token is first used, and then for a time that you choose.</p>
<p>${buttonLink(rotatePath(token.id), 'Rotate token')}</p>`,
  )
}
${section(
  'Revoke',
  html`${used}<p>Programs that use this token stop working at once.</p>
<p>${buttonLink(revokePath(token.id), 'Revoke token', 'danger')}</p>`,
  'danger',
)}`;
}

function changeForms(request: PageRequest, token: TokenPage, { name, end }: Changes, errors: FieldErrors) {
  const field = showFields(CHANGE_FIELDS, { name: name || token.name, end: end ?? '' }, errors);
  const change = (target: keyof typeof CHANGE_FIELDS, label: string) =>
    form(request, { action: tokenPath(token.id), target, content: html`${field(target)}\n${button(label)}` });
  return section('Change', html`${change('name', 'Rename')}\n${change('end', 'Set last day')}`);
}
