import { PASSWORD_MIN_LENGTH } from '@gatehouse/domain/users';
import { type FieldErrors, formView } from './elements/form.ts';
import { button } from './elements/inline.ts';
import { html } from './html.ts';
import type { PageUseCases } from './page-use-cases.ts';
import { PASSWORD } from './paths.ts';
import { passwordRefused } from './session/given-password.ts';
import type { PageRequest } from './session/page-request.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { redirect } from './view.ts';

const passwordField = (label: string, autocomplete: string) =>
  ({ type: 'password', label, autocomplete, isRequired: true }) as const;

const FIELDS = {
  current: passwordField('Current password', 'current-password'),
  new: {
    ...passwordField('New password', 'new-password'),
    hint: `At least ${PASSWORD_MIN_LENGTH} characters. Several words are easier to remember than symbols.`,
  },
  again: passwordField('Confirm new password', 'new-password'),
};

/** `/settings/password`: changes the user's own password and ends all other sessions. */
export function passwordPage(ports: Pick<PageUseCases, 'changeOwnPassword'>): SignedInPage<typeof FIELDS> {
  return {
    show: (request) => passwordView(request),
    form: {
      fields: FIELDS,
      async submit(request, values) {
        const again = (errors: FieldErrors) => passwordView(request, errors);
        if (values.new !== values.again)
          return again([{ field: 'again', message: 'does not match the new password' }]);
        const changed = await ports.changeOwnPassword(request.caller, {
          sessionId: request.session.id,
          secret: request.secret,
          email: request.user.email,
          password: values.current,
          newPassword: values.new,
        });
        if (changed.ok) {
          request.renewSecret(changed.value.secret);
          return redirect(PASSWORD, 'password_changed');
        }
        const { error } = changed;
        if (error.code !== 'invalid_input') return passwordRefused(error, 'current', again);
        return again(error.problems.map(({ message }) => ({ field: 'new', message })));
      },
    },
  };
}

function passwordView(request: PageRequest, errors: FieldErrors = []) {
  return formView(request, {
    title: 'Password',
    scripts: ['send-once.js'],
    action: PASSWORD,
    fields: FIELDS,
    errors,
    content: (field) => html`<input type="hidden" autocomplete="username" value="${request.user.email}">
${field('current')}
${field('new')}
${field('again')}
<p class="hint">This ends all your other sessions. API tokens keep working.</p>
${button('Change password', 'primary')}`,
  });
}
