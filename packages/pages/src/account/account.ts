import { counted } from '@gatehouse/domain';
import type { ShownAccount } from '@gatehouse/domain/accounts';
import { adminList } from '../elements/admin-list.ts';
import { errorSummary, type FieldErrors, form, showFields } from '../elements/form.ts';
import { button, buttonLink, countInWords, name } from '../elements/inline.ts';
import { facts, section } from '../elements/part.ts';
import { time } from '../elements/time.ts';
import { html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { ACCOUNT, API_TOKENS, SECOND_FACTOR_POLICY, TOKEN_RULES } from '../paths.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, view } from '../view.ts';
import { POLICY_IN_WORDS } from './second-factor-policy.ts';

type Ports = Pick<PageUseCases, 'confirmPassword' | 'renameAccount' | 'showAccount'>;

const FIELDS = {
  name: {
    label: 'Name',
    hint: 'All users of the account see the name. The ID does not change.',
    isRequired: true,
    maxLength: 200,
  },
  ...PASSWORD_FIELD,
} as const;

/** Users, tokens and organizations are counted up to this number. */
const MAX = 1000;

/** `/settings/account`: shows the account to all of its users, and lets admins rename the account. */
export function accountPage(ports: Ports): SignedInPage<typeof FIELDS> {
  const find = ({ caller }: PageRequest) =>
    ports.showAccount(caller, { id: caller.accountId, limit: MAX + 1 });
  return {
    async show(request, typed) {
      const shown = await find(request);
      return shown.ok ? accountView(request, shown.value, typed?.name) : denied(shown.error);
    },
    form: {
      fields: FIELDS,
      async submit(request, { name: given, ...secrets }) {
        // Before the password is asked for: the answer to a member has no form.
        if (request.user.role !== 'admin') return errorPage('not_allowed');
        const shown = await find(request);
        if (!shown.ok) return denied(shown.error);
        const again = (errors: FieldErrors) => accountView(request, shown.value, given, errors);
        const confirmed = await confirmGivenPassword(ports, request, secrets, again);
        if (!confirmed.ok) return confirmed.error;
        const { caller } = confirmed.value;
        const renamed = await ports.renameAccount(caller, { id: caller.accountId, name: given });
        if (renamed.ok) return redirect(ACCOUNT, renamed.value.already ? undefined : 'account_renamed');
        const { error } = renamed;
        return error.code === 'invalid_input' ? again(error.problems) : denied(error);
      },
    },
  };
}

function accountView(
  request: PageRequest,
  { account, use, admins, moreAdmins }: ShownAccount,
  typed = account.name,
  errors: FieldErrors = [],
): View {
  const count = (number: number) => countInWords(counted(number, MAX));
  const field = showFields(FIELDS, { name: typed }, errors);
  const rules =
    request.user.role === 'admin'
      ? section(
          'Token rules',
          html`<p>How long tokens may work, and which scopes they may have.</p><p class="actions">${buttonLink(TOKEN_RULES, 'View rules')}</p>`,
        )
      : null;
  const secondFactor =
    request.user.role === 'admin'
      ? section(
          'Second factor',
          html`<p>${POLICY_IN_WORDS[request.secondFactor.policy]}.</p><p class="actions">${buttonLink(SECOND_FACTOR_POLICY, 'Change who must have one')}</p>`,
        )
      : null;
  const renaming =
    request.user.role === 'admin'
      ? section(
          'Rename the account',
          form(request, {
            action: ACCOUNT,
            content: html`${field('name')}${passwordAgain(request, field)}<p class="actions">${button('Rename', 'primary')}</p>`,
          }),
        )
      : html`<p class="hint">Admins can rename the account.</p>`;
  const content = html`${errorSummary(errors, FIELDS)}<div class="sheet">${facts([
    ['Name', name(account.name)],
    ['ID', html`<code>${account.id}</code>`],
    ['Created', time(account.createdAt, request.now)],
    ['Active users', count(use.activeUsers)],
    ['Active API tokens', html`<a href="${API_TOKENS}">${count(use.apiTokens)}</a>`],
    ['Organizations', count(use.organizations)],
  ])}</div>
${section('Admins', adminList({ admins, more: moreAdmins }))}
${rules}
${secondFactor}
${renaming}`;
  return view({
    title: 'Account',
    scripts: ['send-once.js'],
    content,
    ...(errors.length > 0 && { status: 422 }),
  });
}
