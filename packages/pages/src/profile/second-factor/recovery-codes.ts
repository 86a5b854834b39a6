import { copied } from '../../elements/copied.ts';
import { type FieldErrors, formView } from '../../elements/form.ts';
import { button, buttonLink } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { backTo } from '../../elements/part.ts';
import { type Html, html } from '../../html.ts';
import type { PageUseCases } from '../../page-use-cases.ts';
import { firstPageFor, RECOVERY_CODES, SECOND_FACTOR } from '../../paths.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../../session/given-password.ts';
import type { PageRequest } from '../../session/page-request.ts';
import type { SignedInPage } from '../../session/signed-in.ts';
import { denied, redirect, SESSION_ENDED, type View, view } from '../../view.ts';

/** Templates replace line breaks in values, so this one is in the text of a template. */
const LINE_BREAK = html`
`;

type Ports = Pick<PageUseCases, 'confirmPassword' | 'newRecoveryCodes'>;

/** `/settings/second-factor/recovery-codes`: replaces the recovery codes, and shows the new ones once. */
export function recoveryCodesPage(ports: Ports): SignedInPage<typeof PASSWORD_FIELD> {
  return {
    show: (request) => (isEnrolled(request) ? askView(request) : redirect(SECOND_FACTOR)),
    form: {
      fields: PASSWORD_FIELD,
      async submit(request, values) {
        if (!isEnrolled(request)) return redirect(SECOND_FACTOR);
        const again = (errors: FieldErrors) => askView(request, errors);
        const given = await confirmGivenPassword(ports, request, values, again);
        if (!given.ok) return given.error;
        const { caller, session, user } = given.value;
        const made = await ports.newRecoveryCodes(caller, { session, user });
        if (made.ok) return recoveryCodesView(given.value, 'New recovery codes', made.value.recoveryCodes);
        switch (made.error.code) {
          case 'second_factor_not_enrolled':
            return redirect(SECOND_FACTOR);
          case 'password_not_fresh':
          case 'session_not_found':
            return SESSION_ENDED;
          default:
            return denied(made.error);
        }
      },
    },
  };
}

const isEnrolled = ({ secondFactor }: PageRequest) => secondFactor.enrolledAt !== null;

function askView(request: PageRequest, errors: FieldErrors = []): View {
  return formView(request, {
    title: 'Create new recovery codes',
    above: backTo(SECOND_FACTOR, 'Second factor'),
    scripts: ['send-once.js'],
    lead: html`<p class="lead">You get ten new recovery codes. The codes that you have now stop working.</p>`,
    action: RECOVERY_CODES,
    fields: PASSWORD_FIELD,
    errors,
    content: (field) => html`${passwordAgain(request, field)}
<p class="actions">${button('Create recovery codes', 'primary')}${buttonLink(SECOND_FACTOR, 'Cancel')}</p>`,
  });
}

/** Shows recovery codes, which no other page ever shows. @param lead a text above the warning */
export function recoveryCodesView(
  { user }: PageRequest,
  title: string,
  codes: readonly string[],
  lead: Html | null = null,
): View {
  const lines = codes.map((code, index) => html`${index > 0 && LINE_BREAK}${code}`);
  const list = html`<pre><code id="codes">${lines}</code></pre>`;
  return view({
    title,
    scripts: ['copy.js'],
    content: html`${lead}${warning(html`<p><strong>Save these recovery codes now.</strong> You will not be able to see them again. Each replaces one code of your app, for example if you lose your phone.</p>`)}
${copied('codes', list, 'Copy codes')}
<p class="hint">Keep them where you keep your passwords, or print this page. Without the phone and the codes, only an operator of Gatehouse can let you in.</p>
<p class="actions">${buttonLink(SECOND_FACTOR, 'Second factor')}${buttonLink(firstPageFor(user.role), 'Continue')}</p>`,
  });
}
