import type { NoticePreferences } from '@gatehouse/domain/mail';
import { formView } from '../elements/form.ts';
import { button } from '../elements/inline.ts';
import { html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { NOTIFICATIONS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, redirect, SESSION_ENDED, type View } from '../view.ts';
import { profileTabs } from './profile-tabs.ts';

const FIELDS = {
  notices: {
    label: 'Email me about',
    type: 'checkbox',
    choices: [
      {
        value: 'tokens',
        label: 'Your tokens',
        hint: 'A token expires, is not used, or is used from a new network. Includes the tokens of service accounts that you are responsible for.',
      },
      {
        value: 'account',
        label: 'Your account',
        hint: 'Tokens break the rules of the account, or a webhook is disabled. Only admins get these emails.',
      },
    ],
  },
} as const;

const NOT_SET_UP = html`<p class="hint">This server does not send email yet. Your choice applies once an operator sets up a mail server.</p>`;

/** `/settings/notifications`: the user selects about what to get messages. */
export function notificationsPage({
  isMailSetUp,
  showNoticePreferences,
  setNoticePreferences,
}: Pick<PageUseCases, 'setNoticePreferences' | 'showNoticePreferences'> &
  Pick<PagePorts, 'isMailSetUp'>): SignedInPage<typeof FIELDS> {
  return {
    async show(request) {
      const shown = await showNoticePreferences(request.caller);
      return shown.ok ? notificationsView(request, shown.value, isMailSetUp) : denied(shown.error);
    },
    form: {
      fields: FIELDS,
      async submit({ caller }, { notices }) {
        const [tokens, account] = [notices.includes('tokens'), notices.includes('account')];
        const set = await setNoticePreferences(caller, { tokens, account });
        if (set.ok) return redirect(NOTIFICATIONS, set.value.already ? undefined : 'notifications_changed');
        return set.error.code === 'user_not_found' ? SESSION_ENDED : denied(set.error);
      },
    },
  };
}

function notificationsView(
  request: PageRequest,
  { tokens, account }: NoticePreferences,
  isMailSetUp: boolean,
): View {
  return formView(request, {
    title: 'Notifications',
    above: profileTabs(request),
    scripts: ['send-once.js'],
    lead: html`<p class="lead">Gatehouse sends emails to ${request.user.email}.</p>${isMailSetUp ? null : NOT_SET_UP}`,
    action: NOTIFICATIONS,
    fields: FIELDS,
    values: { notices: [...(tokens ? ['tokens'] : []), ...(account ? ['account'] : [])] },
    errors: [],
    content: (field) => html`${field('notices')}
<p class="hint">You always get emails about your own sign-in, such as a new password.</p>
${button('Save', 'primary')}`,
  });
}
