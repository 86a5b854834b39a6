import { type FieldErrors, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { html } from '../html.ts';
import { enableUserPath, userPath } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, redirect, type View } from '../view.ts';
import { changeFrame, findUser, type ShownUser } from './user-change.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'enableUser' | 'showUser'>;

/** `/settings/users/{id}/enable`: lets a disabled user sign in again. */
export function enableUserPage(ports: Ports): SignedInPage<typeof PASSWORD_FIELD> {
  return {
    async show(request) {
      const found = await findUser(ports, request);
      if (!found.ok) return found.error;
      const { user } = found.value;
      return user.disabledAt === null ? redirect(userPath(user.id)) : enableView(request, found.value);
    },
    form: {
      fields: PASSWORD_FIELD,
      async submit(request, { password }) {
        const found = await findUser(ports, request);
        if (!found.ok) return found.error;
        const { user } = found.value;
        if (user.disabledAt === null) return redirect(userPath(user.id));
        const confirmed = await confirmGivenPassword(ports, request, password, (errors) =>
          enableView(request, found.value, errors),
        );
        if (!confirmed.ok) return confirmed.error;
        const enabled = await ports.enableUser(confirmed.value.caller, { id: user.id });
        return enabled.ok ? redirect(userPath(user.id), 'user_enabled') : denied(enabled.error);
      },
    },
  };
}

function enableView(request: PageRequest, { user }: ShownUser, errors: FieldErrors = []): View {
  return formView(request, {
    ...changeFrame('Enable', user),
    lead: html`<p class="lead">The user can sign in again with the same password and role. Tokens that were revoked stay revoked.</p>`,
    action: enableUserPath(user.id),
    fields: PASSWORD_FIELD,
    errors,
    content: (field) => html`${passwordAgain(request, field)}
<p class="actions">${button('Enable user', 'primary')}${buttonLink(userPath(user.id), 'Cancel')}</p>`,
  });
}
