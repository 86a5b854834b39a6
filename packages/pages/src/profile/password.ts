import type { InvalidInput } from '@gatehouse/domain';
import { checkPassword, PASSWORD_MIN_LENGTH } from '@gatehouse/domain/users';
import { type FieldError, type FieldErrors, formView } from '../elements/form.ts';
import { button } from '../elements/inline.ts';
import { html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { PASSWORD, SIGN_IN_METHODS } from '../paths.ts';
import { CODE_FIELD } from '../session/given-code.ts';
import { codeAgain, passwordRefused } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, redirect, type View, view } from '../view.ts';
import { profileTabs } from './profile-tabs.ts';

const passwordField = (label: string, autocomplete: string) =>
  ({ type: 'password', label, autocomplete, isRequired: true }) as const;

const FIELDS = {
  current: passwordField('Current password', 'current-password'),
  new: {
    ...passwordField('New password', 'new-password'),
    hint: `At least ${PASSWORD_MIN_LENGTH} characters. Several words are easier to remember than symbols.`,
  },
  again: passwordField('Confirm new password', 'new-password'),
  code: CODE_FIELD,
};

const MISMATCH: FieldError = { field: 'again', message: 'Passwords do not match.' };
const WRONG: FieldError = { field: 'current', message: 'The current password is wrong.' };

const atNew = ({ problems }: InvalidInput): FieldErrors =>
  problems.map(({ message }) => ({ field: 'new', message }));

/** `/settings/password`: changes the user's own password and ends all other sessions. */
export function passwordPage(
  ports: Pick<PageUseCases, 'changeOwnPassword' | 'listOwnIdentities'>,
): SignedInPage<typeof FIELDS> {
  return {
    async show(request) {
      // A user whom no provider signed in has a password.
      if (request.session.provider === null) return passwordView(request);
      const means = await ports.listOwnIdentities(request.caller);
      if (!means.ok) return denied(means.error);
      return means.value.hasPassword ? passwordView(request) : noPasswordView(request);
    },
    form: {
      fields: FIELDS,
      async submit(request, values) {
        const again = (errors: FieldErrors) => passwordView(request, errors);
        if (values.new !== values.again) {
          const checked = checkPassword(values.new, request.user.email);
          return again([...(checked.ok ? [] : atNew(checked.error)), MISMATCH]);
        }
        const changed = await ports.changeOwnPassword(request.caller, {
          sessionId: request.session.id,
          secret: request.secret,
          email: request.user.email,
          password: values.current,
          code: values.code,
          newPassword: values.new,
        });
        if (changed.ok) {
          request.renewSecret(changed.value.secret);
          return redirect(PASSWORD, 'password_changed');
        }
        const { error } = changed;
        if (error.code !== 'invalid_input') return passwordRefused(error, WRONG, again);
        return again(atNew(error));
      },
    },
  };
}

function passwordView(request: PageRequest, errors: FieldErrors = []) {
  return formView(request, {
    title: 'Password',
    above: profileTabs(request),
    scripts: ['send-once.js'],
    action: PASSWORD,
    fields: FIELDS,
    errors,
    content: (field) => html`<input type="hidden" autocomplete="username" value="${request.user.email}">
${field('current')}
${field('new')}
${field('again')}
${codeAgain(request, field)}
<p class="hint">This ends all your other sessions. API tokens keep working.</p>
${button('Change password', 'primary')}`,
  });
}

const noPasswordView = (request: PageRequest): View =>
  view({
    title: 'Password',
    above: profileTabs(request),
    content: html`<p class="lead">You have no password: you sign in with an identity provider.</p>
<p>To set one, ask an admin of your account for a reset link. <a href="${SIGN_IN_METHODS}">How you sign in</a></p>`,
  });
