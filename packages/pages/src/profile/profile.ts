import { type FieldErrors, formView } from '../elements/form.ts';
import { button, email } from '../elements/inline.ts';
import { facts } from '../elements/part.ts';
import { time } from '../elements/time.ts';
import { html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { PROFILE } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, redirect, SESSION_ENDED, type View } from '../view.ts';
import { profileTabs } from './profile-tabs.ts';

const FIELDS = {
  name: {
    label: 'Name',
    hint: 'The other users of your account see your name.',
    autocomplete: 'name',
    isRequired: true,
    maxLength: 200,
  },
} as const;

/** `/settings/profile`: shows who the user is, and changes the user's own name. */
export function profilePage(ports: Pick<PageUseCases, 'renameSelf'>): SignedInPage<typeof FIELDS> {
  return {
    show: (request, typed) => profileView(request, typed?.name),
    form: {
      fields: FIELDS,
      async submit(request, { name }) {
        const renamed = await ports.renameSelf(request.caller, { name });
        if (renamed.ok) return redirect(PROFILE, renamed.value.already ? undefined : 'name_changed');
        const { error } = renamed;
        if (error.code === 'invalid_input') return profileView(request, name, error.problems);
        return error.code === 'user_not_found' ? SESSION_ENDED : denied(error);
      },
    },
  };
}

function profileView(request: PageRequest, name?: string, errors: FieldErrors = []): View {
  const { user, now } = request;
  return formView(request, {
    title: 'Profile',
    above: profileTabs(request),
    scripts: ['send-once.js'],
    lead: html`<div class="sheet">${facts([
      ['Email', email(user.email)],
      ['Role', user.role === 'admin' ? 'Admin' : 'Member'],
      ['User since', time(user.createdAt, now)],
    ])}<p class="hint">You sign in with this email address. It cannot be changed here.</p></div>`,
    action: PROFILE,
    fields: FIELDS,
    values: { name: name ?? user.name },
    errors,
    content: (field) => html`${field('name')}<p class="actions">${button('Change name', 'primary')}</p>`,
  });
}
