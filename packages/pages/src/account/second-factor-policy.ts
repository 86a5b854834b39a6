import { SECOND_FACTOR_POLICIES, type SecondFactorPolicy } from '@gatehouse/domain/second-factor';
import { type FieldErrors, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { ACCOUNT, SECOND_FACTOR_POLICY } from '../paths.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, withAlert } from '../view.ts';

/** Each policy as the beginning of a sentence about the account. */
export const POLICY_IN_WORDS: Readonly<Record<SecondFactorPolicy, string>> = {
  optional: 'Optional for everyone',
  admins: 'Demanded from admins',
};

const FIELDS = {
  policy: { label: 'Second factor', type: 'select', options: POLICY_IN_WORDS },
  ...PASSWORD_FIELD,
} as const;

const OLDER_EDITION =
  'A server or a command of an older version is connected to the database. It would not demand the second factor, so nothing was changed. Try again after all servers were upgraded.';

/** `/settings/account/second-factor`: lets admins demand a second factor from the admins of the account. */
export function secondFactorPolicyPage(
  ports: Pick<PageUseCases, 'confirmPassword' | 'setSecondFactorPolicy'>,
): SignedInPage<typeof FIELDS> {
  return {
    show: (request, typed) =>
      request.user.role === 'admin'
        ? policyView(request, typed?.policy ?? request.secondFactor.policy)
        : errorPage('not_allowed'),
    form: {
      fields: FIELDS,
      async submit(request, { policy: typed, ...secrets }) {
        if (request.user.role !== 'admin') return errorPage('not_allowed');
        const policy = SECOND_FACTOR_POLICIES.find((each) => each === typed);
        if (policy === undefined) return errorPage('malformed_body');
        const again = (errors: FieldErrors, shownTo = request) => policyView(shownTo, policy, errors);
        const given = await confirmGivenPassword(ports, request, secrets, again);
        if (!given.ok) return given.error;
        const { caller } = given.value;
        const set = await ports.setSecondFactorPolicy(caller, { accountId: caller.accountId, policy });
        if (set.ok) return redirect(ACCOUNT, set.value.already ? undefined : 'second_factor_policy_changed');
        return set.error.code === 'older_edition_serves'
          ? withAlert(again([], given.value), OLDER_EDITION, 409)
          : denied(set.error);
      },
    },
  };
}

function policyView(request: PageRequest, policy: string, errors: FieldErrors = []): View {
  return formView(request, {
    title: 'Second factor of the account',
    above: backTo(ACCOUNT, 'Account'),
    scripts: ['send-once.js'],
    lead: html`<p class="lead">Admins who have no second factor are then led to set one up before they see any other page.</p>
<p>They can no longer sign in to the API with a password (<code>POST /api/v1/auth.json</code>). API tokens keep working.</p>`,
    action: SECOND_FACTOR_POLICY,
    fields: FIELDS,
    values: { policy },
    errors,
    content: (field) => html`${field('policy')}${passwordAgain(request, field)}
<p class="actions">${button('Save', 'primary')}${buttonLink(ACCOUNT, 'Cancel')}</p>`,
  });
}
