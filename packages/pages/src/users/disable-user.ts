import { err, ok, type Result } from '@gatehouse/domain';
import { type FieldErrors, formView, type SomeValues } from '../elements/form.ts';
import { button, buttonLink, name } from '../elements/inline.ts';
import { type NoticeName, warning } from '../elements/notice.ts';
import { html } from '../html.ts';
import type { Found, Refused } from '../page-use-cases.ts';
import { disableUserPath, userPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type ErrorPage, type Outcome, redirect, type View, withAlert } from '../view.ts';
import {
  checkTokens,
  GIVE,
  type Receivers,
  receiversOf,
  TOKEN_FIELDS,
  tokenQuestion,
} from './disable-user/tokens.ts';
import { changeFrame, findUser, isSelf, LAST_ADMIN, type ShownUser } from './user-change.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'disableUser' | 'listAdmins' | 'showUser'>;

const FIELDS = {
  ...TOKEN_FIELDS,
  reason: { label: 'Reason', hint: 'Optional. The activity shows the reason.', maxLength: 500 },
  ...PASSWORD_FIELD,
} as const;

interface Asked {
  readonly shown: ShownUser;
  readonly receivers: Receivers;
}

/**
 * `/settings/users/{id}/disable`: disables a user. The page asks what happens to the API tokens of the user, and selects
 * no answer in advance.
 */
export function disableUserPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function find(request: PageRequest): Promise<Result<Asked, ErrorPage | ReturnType<typeof redirect>>> {
    const found = await findUser(ports, request);
    if (!found.ok) return found;
    const { user } = found.value;
    if (user.disabledAt !== null) return err(redirect(userPath(user.id)));
    const receivers = await receiversOf(ports, request, found.value);
    return receivers.ok
      ? ok({ shown: found.value, receivers: receivers.value })
      : err(denied(receivers.error));
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
        const { user } = found.value.shown;
        const again = (errors: FieldErrors) => disableView(request, found.value, values, errors);
        const errors = checkTokens(found.value, values);
        if (errors.length > 0) return again(errors);
        const confirmed = await confirmGivenPassword(ports, request, values.password, again);
        if (!confirmed.ok) return confirmed.error;
        const disabled = await ports.disableUser(confirmed.value.caller, {
          id: user.id,
          reason: values.reason.trim() || null,
          transferTo: values.tokens === GIVE ? values.transfer_to : null,
          renameTaken: values.rename.includes('yes'),
        });
        return disabled.ok
          ? redirect(userPath(user.id), noticeOf(found.value, disabled.value))
          : refused(disabled.error, again);
      },
    },
  };
}

/** The notice that tells what happened to the API tokens. */
function noticeOf({ shown }: Asked, { transferred }: Found<'disableUser'>): NoticeName {
  if (transferred > 0) return 'user_disabled_given';
  return shown.tokens.count > 0 ? 'user_disabled_revoked' : 'user_disabled';
}

function refused(error: Refused<'disableUser'>, again: (errors: FieldErrors) => View): Outcome {
  switch (error.code) {
    case 'invalid_input':
      return again(error.problems);
    case 'transfer_target_not_fit':
      return again([{ field: 'transfer_to', message: 'must be another active admin of your account' }]);
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
        'The user became a member in the meantime, so the tokens cannot be given to an admin. Nothing was changed.',
        409,
      );
    case 'responsible_not_fit':
    case 'service_accounts_undecided':
      return withAlert(again([]), 'The user answers for service accounts. Nothing was changed.', 409);
    case 'last_admin':
      return withAlert(again([]), LAST_ADMIN, 409);
    default:
      return denied(error);
  }
}

function disableView(
  request: PageRequest,
  asked: Asked,
  values: SomeValues<typeof FIELDS> = {},
  errors: FieldErrors = [],
): View {
  const { user } = asked.shown;
  const self = isSelf(request, user)
    ? html`<p><strong>This is you.</strong> You are signed out at once.</p>`
    : null;
  return formView(request, {
    ...changeFrame('Disable', user),
    lead: warning(
      html`<p><strong>${name(user.name)} can no longer sign in.</strong> All sessions end at once, and so do the tokens of sign-ins through the API.</p>${self}`,
    ),
    action: disableUserPath(user.id),
    fields: FIELDS,
    values,
    errors,
    content: (field) => html`${tokenQuestion(asked, field)}
${field('reason')}
${passwordAgain(request, field)}
<p class="actions">${button('Disable user', 'danger')}${buttonLink(userPath(user.id), 'Cancel')}</p>`,
  });
}
