import { type BegunEnrolment, otpauthUri } from '@gatehouse/domain/second-factor';
import { copied } from '../../elements/copied.ts';
import { errorSummary, type FieldErrors, form, showFields } from '../../elements/form.ts';
import { button, buttonLink } from '../../elements/inline.ts';
import { section } from '../../elements/part.ts';
import { html } from '../../html.ts';
import { SECOND_FACTOR } from '../../paths.ts';
import { CODE_FIELD } from '../../session/given-code.ts';
import { PASSWORD_FIELD, passwordAgain } from '../../session/given-password.ts';
import type { PageRequest } from '../../session/page-request.ts';
import { type View, view } from '../../view.ts';
import { profileTabs } from '../profile-tabs.ts';
import { qrCode } from './qr-code.ts';

/** The forms of the page: one begins an enrolment, and the other one confirms it. */
export const CONFIRM = 'confirm';

export const ENROLMENT_FIELDS = {
  ...PASSWORD_FIELD,
  /** The encrypted secret, in a hidden field. It is kept in no draft. */
  sealed: { label: '', type: 'code' },
} as const;

/**
 * Shows the secret as a QR code, as text and as a link, which opens an app on the same device. Nothing is stored before
 * the user enters a code of the app.
 */
export function enrolmentView(
  request: PageRequest,
  { secret, sealed }: BegunEnrolment,
  errors: FieldErrors = [],
): View {
  const { site, user } = request;
  const uri = otpauthUri(`Gatehouse (${new URL(site.origin).hostname})`, user.email, secret);
  const field = showFields(ENROLMENT_FIELDS, {}, errors);
  const grouped = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  return view({
    title: 'Set up a second factor',
    above: profileTabs(request),
    scripts: ['copy.js', 'send-once.js'],
    ...(errors.length > 0 && { status: 422 }),
    content: html`${errorSummary(errors, ENROLMENT_FIELDS)}
${section(
  'Scan the code',
  html`<p>Scan this code with an authenticator app, such as the one of your password manager.</p>
${qrCode(uri, 'QR code with the secret for your authenticator app')}
<p>Is the app on this device? <a href="${uri}">Open it with the secret</a>, or type the secret:</p>
${copied('secret', html`<code class="secret" id="secret">${grouped}</code>`, 'Copy secret')}`,
)}
${section(
  'Enter the code of the app',
  form(request, {
    action: SECOND_FACTOR,
    target: CONFIRM,
    hidden: { sealed },
    content: html`${field('code', { label: CODE_FIELD.label, hint: 'The 6 digits that the app shows for Gatehouse.' })}${passwordAgain(request, field)}
<p class="actions">${button('Turn on', 'primary')}${buttonLink(SECOND_FACTOR, 'Cancel')}</p>`,
  }),
)}`,
  });
}
