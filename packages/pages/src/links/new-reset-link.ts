import type { User } from '@gatehouse/domain/users';
import { type FieldErrors, formView, hiddenFields } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { backTo } from '../elements/part.ts';
import { html } from '../html.ts';
import type { Found, PageUseCases } from '../page-use-cases.ts';
import { PASSWORD_RESET, resetLinkPath, userPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { changeFrame, findUser } from '../users/user-change.ts';
import { resetByOperator } from '../users/user-page/password.ts';
import { denied, type View, view, withAlert } from '../view.ts';
import { madeLink } from './made-link.ts';
import { DELIVERY_FIELD, SHOWN, sentLink } from './sent-link.ts';

type Ports = Pick<PageUseCases, 'confirmPassword' | 'createResetLink' | 'mailResetLink' | 'showUser'> &
  Pick<PagePorts, 'isMailSetUp'>;

const FIELDS = { ...DELIVERY_FIELD, ...PASSWORD_FIELD } as const;

const DEED = 'Reset the password of';

/** `/settings/users/:id/reset-link`: creates a link with which a member sets a new password. */
export function newResetLinkPage(ports: Ports): SignedInPage<typeof FIELDS> {
  return {
    async show(request) {
      const found = await findUser(ports, request);
      if (!found.ok) return found.error;
      const { user } = found.value;
      return user.role === 'admin' ? byOperatorView(user) : resetForm(request, user, ports.isMailSetUp);
    },
    form: {
      fields: FIELDS,
      async submit(request, { delivery, ...secrets }) {
        const found = await findUser(ports, request);
        if (!found.ok) return found.error;
        const { user } = found.value;
        const isMailed = ports.isMailSetUp && delivery !== SHOWN;
        const again = (errors: FieldErrors, shownTo = request) => resetForm(shownTo, user, isMailed, errors);
        const given = await confirmGivenPassword(ports, request, secrets, again);
        if (!given.ok) return given.error;
        const { caller } = given.value;
        const made = isMailed
          ? await ports.mailResetLink(caller, { id: user.id })
          : await ports.createResetLink(caller, { id: user.id });
        if (made.ok)
          return 'code' in made.value ? madeView(request, made.value) : mailedView(request, made.value);
        switch (made.error.code) {
          case 'link_for_admin':
            return { ...byOperatorView(user), status: 409 };
          case 'user_disabled':
            return withAlert(again([], given.value), 'This user is disabled. Enable the user first.', 409);
          default:
            return denied(made.error);
        }
      },
    },
  };
}

/** The page for a user who is an admin, or was one: it has no form, because every link would be refused. */
const byOperatorView = (user: User): View =>
  view({
    ...changeFrame(DEED, user),
    content: html`${resetByOperator(user)}
<p class="actions">${buttonLink(userPath(user.id), 'Back to the user')}</p>`,
  });

function resetForm(request: PageRequest, user: User, isMailed: boolean, errors: FieldErrors = []): View {
  const lead = isMailed
    ? html`Gatehouse sends a link to ${user.email}, who sets a new password with it.`
    : html`You get a link to send to ${user.email}, who sets a new password with it.`;
  return formView(request, {
    ...changeFrame(DEED, user),
    scripts: ['send-once.js'],
    lead: html`<p class="lead">${lead}</p>
${warning(html`<p>Anyone who has the link can sign in as ${user.email}. The user sees that you created it. When the link is used, all sessions of the user end.</p>`)}`,
    action: resetLinkPath(user.id),
    fields: FIELDS,
    errors,
    content: (
      field,
    ) => html`${passwordAgain(request, field)}${isMailed ? null : hiddenFields({ delivery: SHOWN })}
<p class="actions">${button(isMailed ? 'Send link' : 'Create link', 'primary')}${buttonLink(userPath(user.id), 'Cancel')}</p>`,
  });
}

function mailedView(request: PageRequest, { user }: Found<'mailResetLink'>): View {
  return view({
    title: 'Password reset link sent',
    above: backTo(userPath(user.id), 'Back to the user'),
    scripts: ['send-once.js'],
    content: html`${sentLink(request, {
      email: user.email,
      works: 'one hour',
      action: resetLinkPath(user.id),
    })}
<p class="actions">${buttonLink(userPath(user.id), 'Done')}</p>`,
  });
}

function madeView({ site }: PageRequest, { user, code }: Found<'createResetLink'>): View {
  return view({
    title: 'Password reset link created',
    above: backTo(userPath(user.id), 'Back to the user'),
    scripts: ['copy.js'],
    content: html`${madeLink({
      origin: site.origin,
      path: PASSWORD_RESET,
      code,
      email: user.email,
      subject: 'Your new password on Gatehouse',
      message: 'Open this link to set a new password on Gatehouse:',
      works: 'one hour',
    })}
<p class="actions">${buttonLink(userPath(user.id), 'Done')}</p>`,
  });
}
