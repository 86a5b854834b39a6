import { err, ok, type Result } from '@gatehouse/domain';
import { parseUserId } from '@gatehouse/domain/users';
import { type FieldError, type FieldErrors, formView, type SomeValues } from '../elements/form.ts';
import { button, buttonLink, name } from '../elements/inline.ts';
import { type NoticeName, warning } from '../elements/notice.ts';
import { html } from '../html.ts';
import type { Found, Refused } from '../page-use-cases.ts';
import { disableUserPath, pathOfUser } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type ErrorPage, errorPage, type Outcome, redirect, type View, withAlert } from '../view.ts';
import { FATE_FIELDS, fateQuestion, readFates } from './disable-user/service-accounts.ts';
import { type DisableFacts, readTokens, TOKEN_FIELDS, tokenQuestion } from './disable-user/tokens.ts';
import { changeFrame, isSelf, LAST_ADMIN } from './user-change.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'disableUser' | 'findDisableFacts'>;

const FIELDS = {
  ...TOKEN_FIELDS,
  ...FATE_FIELDS,
  reason: { label: 'Reason', hint: 'Optional. The activity shows the reason.', maxLength: 500 },
  ...PASSWORD_FIELD,
} as const;

/**
 * `/settings/users/{id}/disable`: disables a user. The page asks what happens to each API token of the user and to each
 * service account for which the user answers, and selects no answer in advance.
 */
export function disableUserPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function find({
    caller,
    params,
  }: PageRequest): Promise<Result<DisableFacts, ErrorPage | ReturnType<typeof redirect>>> {
    const id = parseUserId(params.id ?? '');
    if (id === undefined) return err(errorPage('not_found'));
    const found = await ports.findDisableFacts(caller, { id });
    if (!found.ok) return err(denied(found.error));
    const { user } = found.value;
    return user.disabledAt === null ? ok(found.value) : err(redirect(pathOfUser(user)));
  }

  return {
    async show(request, typed): Promise<Outcome> {
      const found = await find(request);
      return found.ok ? disableView(request, found.value, typed) : found.error;
    },
    form: {
      fields: FIELDS,
      async submit(request, values) {
        const found = await find(request);
        if (!found.ok) return found.error;
        const facts = found.value;
        const again = (errors: FieldErrors) => disableView(request, facts, values, errors);
        const [answer, fates] = [readTokens(facts, values), readFates(facts, values.fates)];
        if (isWrong(answer) || isWrong(fates))
          return again([...(isWrong(answer) ? answer : []), ...(isWrong(fates) ? fates : [])]);
        const confirmed = await confirmGivenPassword(ports, request, values, again);
        if (!confirmed.ok) return confirmed.error;
        const disabled = await ports.disableUser(confirmed.value.caller, {
          id: facts.user.id,
          reason: values.reason.trim() || null,
          ...answer,
          serviceAccounts: fates,
          renameTaken: values.rename.includes('yes'),
        });
        return disabled.ok
          ? redirect(pathOfUser(facts.user), noticeOf(facts, disabled.value))
          : refused(disabled.error, again);
      },
    },
  };
}

const isWrong = (answer: object): answer is readonly FieldError[] => Array.isArray(answer);

/** The notice that tells what happened to the API tokens. */
function noticeOf({ user, tokens }: DisableFacts, { transferred }: Found<'disableUser'>): NoticeName {
  if (user.kind === 'service') return 'service_account_disabled';
  if (transferred > 0) return 'user_disabled_given';
  return tokens.count > 0 ? 'user_disabled_revoked' : 'user_disabled';
}

function refused(error: Refused<'disableUser'>, again: (errors: FieldErrors) => View): Outcome {
  switch (error.code) {
    case 'invalid_input':
      return again(error.problems);
    case 'transfer_target_not_fit':
      return again([
        {
          field: 'transfer_to',
          message: 'must be another active admin of your account, or an active service account',
        },
      ]);
    case 'transfer_names_taken': {
      const names = error.names
        .slice(0, 5)
        .map((each) => `“${each}”`)
        .join(', ');
      const more = error.names.length > 5 ? ' and more' : '';
      return again([{ field: 'rename', message: `The new owner already has tokens named ${names}${more}.` }]);
    }
    case 'transfer_raises_rights':
      return withAlert(
        again([]),
        'The tokens of a member cannot be given to an owner with the role admin. Nothing was changed.',
        409,
      );
    case 'responsible_not_fit':
    case 'service_accounts_undecided':
      return withAlert(
        again([]),
        'The admins or the service accounts changed in the meantime, so nothing was changed. Check your answers.',
        409,
      );
    case 'last_admin':
      return withAlert(again([]), LAST_ADMIN, 409);
    default:
      return denied(error);
  }
}

function disableView(
  request: PageRequest,
  facts: DisableFacts,
  values: SomeValues<typeof FIELDS> = {},
  errors: FieldErrors = [],
): View {
  const { user } = facts;
  const errorOf = (field: string) => errors.find((each) => each.field === field)?.message;
  const self = isSelf(request, user)
    ? html`<p><strong>This is you.</strong> You are signed out at once.</p>`
    : null;
  const lead =
    user.kind === 'service'
      ? html`<p><strong>${name(user.name)} can no longer have tokens.</strong></p>`
      : html`<p><strong>${name(user.name)} can no longer sign in.</strong> All sessions end at once, and so do the tokens of sign-ins through the API.</p>${self}`;
  const label = user.kind === 'service' ? 'Disable service account' : 'Disable user';
  return formView(request, {
    ...changeFrame('Disable', user),
    lead: warning(lead),
    action: disableUserPath(user.id),
    fields: FIELDS,
    values,
    errors,
    content: (field) => html`${tokenQuestion(facts, values.owners ?? [], field, errorOf('owners'))}
${fateQuestion(facts, values.fates ?? [], errorOf('fates'))}
${field('reason')}
${passwordAgain(request, field)}
<p class="actions">${button(label, 'danger')}${buttonLink(pathOfUser(user), 'Cancel')}</p>`,
  });
}
