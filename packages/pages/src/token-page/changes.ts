import { isLive, type TokenPage } from '@gatehouse/domain/tokens';
import { button, buttonLink } from '../elements/button.ts';
import { section } from '../elements/facts.ts';
import { type FieldError, input } from '../elements/field.ts';
import { form } from '../elements/form.ts';
import { useInWords } from '../elements/use.ts';
import { type Html, html } from '../html.ts';
import { revokePath, rotatePath, tokenPath } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';

export const CHANGE_FIELDS = { name: 'text', end: 'text' } as const;

export const CHANGE_LABELS = { name: 'Name', end: 'Last day' };

/** The values that were typed into one of the forms, and their errors. */
export interface Change {
  readonly name?: string;
  readonly end?: string;
  readonly errors?: readonly FieldError[];
}

/** The forms that rename a token and bring its end forward, and links to rotate and revoke it; null for an ended token. */
export function changesPart(request: PageRequest, token: TokenPage, change: Change): Html | null {
  const { now } = request;
  if (!isLive(token, now)) return null;
  const isApi = token.kind === 'api';
  const use = useInWords(token.usage, now);
  const used = use === null ? html`<p>It has never been used.</p>` : html`<p>It was used ${use}.</p>`;
  const isRotatable = isApi && token.replacement === null && token.replacedAt === null;
  return html`${isApi && changeForms(request, token, change)}
${
  isRotatable &&
  section(
    'Rotate',
    html`<p>Makes a token with the same name, scopes and lifetime. This one keeps working until the new one is used, and a while longer.</p>
<p>${buttonLink(rotatePath(token.id), 'Rotate token')}</p>`,
  )
}
${section(
  'Revoke',
  html`${used}<p>Programs that use it would stop working at once.</p>
<p>${buttonLink(revokePath(token.id), 'Revoke token', 'danger')}</p>`,
  'danger',
)}`;
}

function changeForms(request: PageRequest, token: TokenPage, { name, end, errors = [] }: Change): Html {
  const change = (target: keyof typeof CHANGE_FIELDS, content: Html) =>
    form(request, { action: tokenPath(token.id), target, content });
  return section(
    'Change',
    html`${change(
      'name',
      html`${input({ name: 'name', label: CHANGE_LABELS.name, value: name ?? token.name, isRequired: true, maxLength: 200, errors })}
${button('Rename')}`,
    )}
${change(
  'end',
  html`${input({
    name: 'end',
    label: CHANGE_LABELS.end,
    type: 'date',
    hint: 'The new date must be earlier than the current one. The token works until the end of that day (UTC).',
    value: end ?? '',
    isRequired: true,
    errors,
  })}
${button('End it then')}`,
)}`,
  );
}
