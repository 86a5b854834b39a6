import { type FieldErrors, formView } from '../elements/form.ts';
import { button, buttonLink } from '../elements/inline.ts';
import { html } from '../html.ts';
import { enableUserPath, pathOfUser } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { confirmGivenPassword, PASSWORD_FIELD, passwordAgain } from '../session/given-password.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, redirect, type View } from '../view.ts';
import { changeFrame, findUser, type ShownUser } from './user-change.ts';

type Ports = Pick<PagePorts, 'confirmPassword' | 'enableUser' | 'showUser'>;

/** `/settings/users/{id}/enable`: lets a disabled user sign in again, or a service account have tokens again. */
export function enableUserPage(ports: Ports): SignedInPage<typeof PASSWORD_FIELD> {
  return {
    async show(request) {
      const found = await findUser(ports, request);
      if (!found.ok) return found.error;
      const { user } = found.value;
      return user.disabledAt === null ? redirect(pathOfUser(user)) : enableView(request, found.value);
    },
    form: {
      fields: PASSWORD_FIELD,
      async submit(request, given) {
        const found = await findUser(ports, request);
        if (!found.ok) return found.error;
        const { user } = found.value;
        if (user.disabledAt === null) return redirect(pathOfUser(user));
        const confirmed = await confirmGivenPassword(ports, request, given, (errors) =>
          enableView(request, found.value, errors),
        );
        if (!confirmed.ok) return confirmed.error;
        const enabled = await ports.enableUser(confirmed.value.caller, { id: user.id });
        return enabled.ok
          ? redirect(pathOfUser(user), user.kind === 'service' ? 'service_account_enabled' : 'user_enabled')
          : denied(enabled.error);
      },
    },
  };
}

function enableView(request: PageRequest, { user }: ShownUser, errors: FieldErrors = []): View {
  const isService = user.kind === 'service';
  return formView(request, {
    ...changeFrame('Enable', user),
    lead: html`<p class="lead">${isService ? 'The service account can have tokens again, with the same role.' : 'The user can sign in again with the same password and role.'} Tokens that were revoked stay revoked.</p>`,
    action: enableUserPath(user.id),
    fields: PASSWORD_FIELD,
    errors,
    content: (field) => html`${passwordAgain(request, field)}
<p class="actions">${button(isService ? 'Enable service account' : 'Enable user', 'primary')}${buttonLink(pathOfUser(user), 'Cancel')}</p>`,
  });
}
