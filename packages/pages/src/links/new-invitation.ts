import { type FieldErrors, type FieldValues, formView, hiddenFields } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { backTo } from '../elements/part.ts';
import { guardedForm, isGuardError } from '../forms/forbidden.ts';
import { html } from '../html.ts';
import type { Found, PageUseCases } from '../page-use-cases.ts';
import { INVITATION, INVITATIONS, NEW_INVITATION } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, type View, view, withAlert } from '../view.ts';
import { madeLink } from './made-link.ts';
import { DELIVERY_FIELD, SHOWN, sentLink } from './sent-link.ts';

const FIELDS = {
  email: { label: 'Email', type: 'email', isRequired: true, maxLength: 320 },
  name: { label: 'Name', hint: 'Optional. The person can change it.', maxLength: 200 },
  ...DELIVERY_FIELD,
  ...PASSWORD_FIELD,
} as const;

type Typed = Partial<Omit<FieldValues<typeof FIELDS>, 'password' | 'code'>>;

const TOO_MANY =
  'Your account has 100 open invitations, which is the limit. Revoke an invitation first, or wait until one expires.';

/** `/settings/users/invitations/new`: invites a member. The link is mailed, or only the response to the form shows it. */
export function newInvitationPage(
  ports: Pick<PageUseCases, 'confirmPassword' | 'inviteUser' | 'mailInvitation'> &
    Pick<PagePorts, 'isMailSetUp'>,
): SignedInPage<typeof FIELDS> {
  return {
    show: (request, typed) =>
      request.user.role === 'admin' ? invitationForm(request, ports, typed) : errorPage('not_allowed'),
    form: {
      fields: FIELDS,
      async submit(request, { password, code, ...typed }) {
        if (request.user.role !== 'admin') return errorPage('not_allowed');
        const again = (errors: FieldErrors, shownTo = request) =>
          invitationForm(shownTo, ports, typed, errors);
        const given = await confirmGivenPassword(ports, request, { password, code }, again);
        if (!given.ok) return given.error;
        const [email, name] = [typed.email.trim(), typed.name.trim()];
        const input = { email, name: name === '' ? null : name, role: 'member' } as const;
        const isShown = !ports.isMailSetUp || typed.delivery === SHOWN;
        const invited = isShown
          ? await ports.inviteUser(given.value.caller, input)
          : await ports.mailInvitation(given.value.caller, input);
        if (invited.ok)
          return 'code' in invited.value
            ? invitedView(request, invited.value)
            : mailedView(request, invited.value);
        const { error } = invited;
        const at = (message: string) => again([{ field: 'email', message }], given.value);
        if (isGuardError(error)) return guardedForm(again([], given.value), error);
        switch (error.code) {
          case 'invalid_input':
            return again(error.problems, given.value);
          case 'email_taken':
            return at('A user of your account has this address.');
          case 'invitation_of_operator':
            return at('An operator invited this person, and only an operator can replace the invitation.');
          case 'too_many_invitations':
            return withAlert(again([], given.value), TOO_MANY, 409);
          default:
            return denied(error);
        }
      },
    },
  };
}

function invitationForm(
  request: PageRequest,
  { isMailSetUp }: Pick<PagePorts, 'isMailSetUp'>,
  values: Typed = {},
  errors: FieldErrors = [],
): View {
  const { name: account } = request.account;
  const isMailed = isMailSetUp && values.delivery !== SHOWN;
  const lead = isMailed
    ? html`Gatehouse sends the person a link to set a password and become a member of ${account}.`
    : html`You get a link to send to the person, who sets a password and becomes a member of ${account}.`;
  return formView(request, {
    title: 'Invite user',
    above: backTo(INVITATIONS, 'Invitations'),
    scripts: ['send-once.js'],
    lead: html`<p class="lead">${lead}</p>`,
    action: NEW_INVITATION,
    fields: FIELDS,
    values,
    errors,
    content: (field) => html`${field('email', { hasFocus: true })}
${field('name')}
${passwordAgain(request, field)}${isMailSetUp && !isMailed ? hiddenFields({ delivery: SHOWN }) : null}
<p class="hint">A new invitation for the same address replaces the earlier one. The person joins as a member. To make them an admin, change their role afterwards.</p>
<p class="actions">${button(isMailed ? 'Send invitation' : 'Create invitation', 'primary')}${buttonLink(INVITATIONS, 'Cancel')}</p>`,
  });
}

function mailedView(request: PageRequest, { email, name }: Found<'mailInvitation'>): View {
  return view({
    title: 'Invitation sent',
    above: backTo(INVITATIONS, 'Invitations'),
    scripts: ['send-once.js'],
    content: html`${sentLink(request, {
      email,
      works: '7 days',
      action: NEW_INVITATION,
      hidden: { email, name: name ?? '' },
    })}
<p class="actions">${buttonLink(INVITATIONS, 'All invitations')}${buttonLink(NEW_INVITATION, 'Invite another user')}</p>`,
  });
}

function invitedView({ site, account }: PageRequest, { invitation, code }: Found<'inviteUser'>): View {
  const { email } = invitation;
  return view({
    title: 'Invitation created',
    above: backTo(INVITATIONS, 'Invitations'),
    scripts: ['copy.js'],
    content: html`${madeLink({
      origin: site.origin,
      path: INVITATION,
      code,
      email,
      subject: `Invitation to ${account.name} on Gatehouse`,
      message: `You are invited to ${account.name} on Gatehouse. Open this link to set your password:`,
      works: '7 days',
    })}
<p class="actions">${buttonLink(INVITATIONS, 'All invitations')}${buttonLink(NEW_INVITATION, 'Invite another user')}</p>`,
  });
}
