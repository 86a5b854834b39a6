import { PASSWORD_MIN_LENGTH } from '@gatehouse/domain/users';
import { button } from './elements/button.ts';
import { errorSummary, type FieldError, input } from './elements/field.ts';
import { form } from './elements/form.ts';
import { html } from './html.ts';
import { passwordRefused } from './limits.ts';
import type { PageUseCases } from './page-use-cases.ts';
import { PASSWORD } from './paths.ts';
import type { PageRequest } from './session/page-request.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { redirect, view } from './view.ts';

const FIELDS = { current: 'secret', new: 'secret', again: 'secret' } as const;

const LABELS = { current: 'Your password now', new: 'New password', again: 'New password again' };

/** `/settings/password`: changes the user's own password and ends all other sessions. */
export function passwordPage(ports: Pick<PageUseCases, 'changeOwnPassword'>): SignedInPage<typeof FIELDS> {
  return {
    show: (request) => passwordView(request),
    form: {
      fields: FIELDS,
      async submit(request, values) {
        const again = (errors: readonly FieldError[]) => passwordView(request, errors);
        if (values.new !== values.again)
          return again([{ field: 'again', message: 'is not the same as the one above' }]);
        const changed = await request.renew((secret) =>
          ports.changeOwnPassword(request.caller, {
            sessionId: request.session.id,
            secret,
            email: request.user.email,
            password: values.current,
            newPassword: values.new,
          }),
        );
        if (changed.ok) return redirect(PASSWORD, 'password_changed');
        const { error } = changed;
        if (error.code !== 'invalid_input') return passwordRefused(error, 'current', again);
        return again(error.problems.map(({ message }) => ({ field: 'new', message })));
      },
    },
  };
}

function passwordView(request: PageRequest, errors: readonly FieldError[] = []) {
  const field = (name: keyof typeof FIELDS, autocomplete: string, hint?: string) =>
    input({
      name,
      label: LABELS[name],
      type: 'password',
      autocomplete,
      errors,
      isRequired: true,
      ...(hint && { hint }),
    });
  const content = html`${errorSummary(errors, LABELS)}
${form(request, {
  action: PASSWORD,
  content: html`<input type="hidden" autocomplete="username" value="${request.user.email}">
${field('current', 'current-password')}
${field('new', 'new-password', `At least ${PASSWORD_MIN_LENGTH} characters. Several words are easier to remember than symbols.`)}
${field('again', 'new-password')}
<p class="hint">All your other sessions will end. API tokens keep working.</p>
${button('Change password', 'primary')}`,
})}`;
  return view({
    title: 'Password',
    content,
    scripts: ['send-once.js'],
    ...(errors.length > 0 && { status: 422 }),
  });
}
