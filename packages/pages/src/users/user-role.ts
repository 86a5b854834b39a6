import { ROLES, type Role } from '@gatehouse/domain/users';
import { type FieldErrors, formView } from '../elements/form.ts';
import { button, buttonLink, countInWords, name } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { type Html, html } from '../html.ts';
import { firstPageFor, pathOfUser, userRolePath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, type Outcome, redirect, type View, withAlert } from '../view.ts';
import { changeFrame, findUser, isSelf, LAST_ADMIN, type ShownUser } from './user-change.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'setRole' | 'showUser'>;

/** The labels of the button, by the role that the user gets. */
const DEEDS: Readonly<Record<Role, string>> = { admin: 'Make admin', member: 'Make member' };

/**
 * `/settings/users/{id}/role`: makes a member an admin, or an admin a member. The target of the form is the new role,
 * so a form that is sent twice, or after another admin has changed the role, never changes it back.
 */
export function userRolePage(ports: Ports): SignedInPage<typeof PASSWORD_FIELD> {
  return {
    async show(request): Promise<Outcome> {
      const found = await findUser(ports, request);
      if (!found.ok) return found.error;
      if (found.value.user.disabledAt !== null) return redirect(pathOfUser(found.value.user));
      return roleView(request, found.value, found.value.user.role === 'admin' ? 'member' : 'admin');
    },
    form: {
      fields: PASSWORD_FIELD,
      async submit(request, given, target) {
        const role = ROLES.find((each) => each === target);
        if (role === undefined) return errorPage('malformed_body');
        const found = await findUser(ports, request);
        if (!found.ok) return found.error;
        const { user } = found.value;
        if (user.disabledAt !== null) return redirect(pathOfUser(user));
        const again = (errors: FieldErrors = []) => roleView(request, found.value, role, errors);
        const confirmed = await confirmGivenPassword(ports, request, given, again);
        if (!confirmed.ok) return confirmed.error;
        const changed = await ports.setRole(confirmed.value.caller, { id: user.id, role });
        if (changed.ok) {
          // Who made themselves a member may no longer see the pages of users.
          const isGone = isSelf(request, user) && role === 'member';
          return redirect(isGone ? firstPageFor(role) : pathOfUser(user), 'user_role_changed');
        }
        const { error } = changed;
        return error.code === 'last_admin' ? withAlert(again(), LAST_ADMIN, 409) : denied(error);
      },
    },
  };
}

function roleView(request: PageRequest, shown: ShownUser, role: Role, errors: FieldErrors = []): View {
  const { user } = shown;
  return formView(request, {
    ...changeFrame('Change role of', user),
    lead: warning(
      html`${EFFECTS[role](shown)}${isSelf(request, user) ? html`<p><strong>This is you.</strong></p>` : null}`,
    ),
    action: userRolePath(user.id),
    target: role,
    fields: PASSWORD_FIELD,
    errors,
    content: (field) => html`${passwordAgain(request, field)}
<p class="actions">${button(DEEDS[role], 'primary')}${buttonLink(pathOfUser(user), 'Cancel')}</p>`,
  });
}

const EFFECTS: Readonly<Record<Role, (shown: ShownUser) => Html>> = {
  admin: ({ user, tokens }) =>
    html`${user.kind === 'service' ? html`<p><strong>${name(user.name)} will read every organization of your account.</strong></p>` : html`<p><strong>${name(user.name)} will manage the users, organizations and API tokens of your account.</strong></p>`}${
      tokens.count === 0
        ? null
        : html`<p>${withVerb(tokens, 'gets', 'get')} the rights of an admin, as far as the scopes allow.</p>`
    }`,
  member: ({ user, tokens }) =>
    html`<p><strong>${name(user.name)} will only see the organizations to which ${user.kind === 'service' ? 'it' : 'the user'} belongs.</strong></p>${
      tokens.count === 0
        ? null
        : html`<p>${withVerb(tokens, 'keeps', 'keep')} working with the rights of a member. Requests that need an admin are refused.</p>`
    }`,
};

function withVerb(tokens: ShownUser['tokens'], one: string, several: string): string {
  const isOne = tokens.count === 1 && !tokens.more;
  return `${countInWords(tokens)} active API ${isOne ? 'token' : 'tokens'} ${isOne ? one : several}`;
}
