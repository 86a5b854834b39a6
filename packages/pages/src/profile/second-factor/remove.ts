import { demandsSecondFactor } from '@gatehouse/domain/second-factor';
import { type FieldErrors, formView } from '../../elements/form.ts';
import { button, buttonLink } from '../../elements/inline.ts';
import { backTo } from '../../elements/part.ts';
import { html } from '../../html.ts';
import type { PageUseCases } from '../../page-use-cases.ts';
import { REMOVE_SECOND_FACTOR, SECOND_FACTOR } from '../../paths.ts';
import { PASSWORD_FIELD, passwordRefused } from '../../session/given-password.ts';
import type { PageRequest } from '../../session/page-request.ts';
import type { SignedInPage } from '../../session/signed-in.ts';
import { redirect, type View } from '../../view.ts';

const WRONG = { field: 'password', message: 'The password is wrong.' };

/** `/settings/second-factor/remove`: removes the user's second factor, which takes password and code. */
export function removeSecondFactorPage(
  ports: Pick<PageUseCases, 'removeOwnSecondFactor'>,
): SignedInPage<typeof PASSWORD_FIELD> {
  return {
    show: (request) => (mayRemove(request) ? removeView(request) : redirect(SECOND_FACTOR)),
    form: {
      fields: PASSWORD_FIELD,
      async submit(request, { password, code }) {
        const { caller, session, user, secret } = request;
        const given = { sessionId: session.id, secret, email: user.email, password, code };
        const removed = await ports.removeOwnSecondFactor(caller, given);
        if (removed.ok) {
          request.renewSecret(removed.value.secret);
          return redirect(SECOND_FACTOR, 'second_factor_removed');
        }
        const { error } = removed;
        if (error.code === 'second_factor_demanded' || error.code === 'second_factor_not_enrolled')
          return redirect(SECOND_FACTOR);
        return passwordRefused(error, WRONG, (errors) => removeView(request, errors));
      },
    },
  };
}

const mayRemove = ({ secondFactor, user }: PageRequest) =>
  secondFactor.enrolledAt !== null && !demandsSecondFactor(secondFactor, user.role);

function removeView(request: PageRequest, errors: FieldErrors = []): View {
  return formView(request, {
    title: 'Remove the second factor',
    above: backTo(SECOND_FACTOR, 'Second factor'),
    scripts: ['send-once.js'],
    lead: html`<p class="lead">You will sign in with your password alone. Your recovery codes stop working.</p>`,
    action: REMOVE_SECOND_FACTOR,
    fields: PASSWORD_FIELD,
    errors,
    content: (field) => html`${field('password')}${field('code')}
<p class="actions">${button('Remove second factor', 'danger')}${buttonLink(SECOND_FACTOR, 'Cancel')}</p>`,
  });
}
