import { parseSessionId, type Session } from '@gatehouse/domain/sessions';
import { form } from '../elements/form.ts';
import { button, state } from '../elements/inline.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { attributes, type Html, html } from '../html.ts';
import type { Found, PageUseCases } from '../page-use-cases.ts';
import { PASSWORD, SESSIONS } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, view } from '../view.ts';
import { profileTabs } from './profile-tabs.ts';
import { browserName } from './sessions/browser-name.ts';
import { passwordReset } from './sessions/password-reset.ts';

type Ports = Pick<
  PageUseCases,
  'findLastPasswordReset' | 'listOwnSessions' | 'endOwnSession' | 'endOtherSessions'
>;

/**
 * The target of the form that ends all other sessions. Each other form on the page ends one session, and its target is
 * the id of that session.
 */
const OTHERS = 'others';

/** `/settings/sessions`: lists the user's sessions and ends them. */
export function sessionsPage(ports: Ports): SignedInPage {
  return {
    async show(request) {
      const listed = await ports.listOwnSessions(request.caller);
      if (!listed.ok) return denied(listed.error);
      const reset = await ports.findLastPasswordReset(request.caller);
      return reset.ok ? sessionsView(request, listed.value, reset.value) : denied(reset.error);
    },
    form: {
      fields: {},
      async submit({ caller, session }, _, target) {
        if (target === OTHERS) {
          const ended = await ports.endOtherSessions(caller, session.id);
          return ended.ok ? redirect(SESSIONS, 'sessions_ended') : denied(ended.error);
        }
        const id = parseSessionId(target);
        if (id === undefined) return errorPage('malformed_body');
        const ended = await ports.endOwnSession(caller, id);
        if (ended.ok) return redirect(SESSIONS, 'session_ended');
        const { error } = ended;
        return error.code === 'session_not_found' ? redirect(SESSIONS, 'session_not_found') : denied(error);
      },
    },
  };
}

function sessionsView(
  request: PageRequest,
  sessions: readonly Session[],
  reset: Found<'findLastPasswordReset'>,
): View {
  const { now, session } = request;
  const isThis = ({ id }: Session) => id === session.id;
  const ending = (target: string, content: Html) =>
    form(request, { action: SESSIONS, target, content, layout: 'inline' });
  const own = [...sessions.filter(isThis), ...sessions.filter((each) => !isThis(each))];
  const content = html`${passwordReset(request, reset)}<p class="lead">The browsers that are signed in as you.</p>
${table({
  caption: 'Your sessions',
  columns: {
    Browser: ({ userAgent }) => browser(userAgent),
    'Signed in': ({ createdAt }) => time(createdAt, now),
    'Last seen': (each) => (isThis(each) ? 'Now' : time(each.lastSeenAt, now)),
    From: ({ origin }) => html`<code>${origin}</code>`,
    Action: (each) => (isThis(each) ? state('good', 'This session') : ending(each.id, button('End session'))),
  },
  hiddenLabel: 'Action',
  rows: own,
})}
<p class="hint">Don’t recognize a session? End it and <a href="${PASSWORD}">change your password</a>.</p>
${own.length > 1 && ending(OTHERS, button('End all other sessions', 'danger'))}`;
  return view({ title: 'Sessions', above: profileTabs(request), content });
}

/** Renders the name of a browser. Its user agent is shown on hover. */
function browser(userAgent: string | null): Html {
  return html`<span class="browser"${attributes({ title: userAgent })}>${browserName(userAgent)}</span>`;
}
