import { form } from '../../elements/form.ts';
import { button } from '../../elements/inline.ts';
import { section } from '../../elements/part.ts';
import { table } from '../../elements/table.ts';
import { time } from '../../elements/time.ts';
import { type Html, html } from '../../html.ts';
import { userPath } from '../../paths.ts';
import { browserName } from '../../profile/sessions/browser-name.ts';
import type { PageRequest } from '../../session/page-request.ts';
import { isSelf, type ShownUser } from '../user-change.ts';

/** Lists the sessions of a user, with a button that ends all of them. */
export function userSessions(request: PageRequest, { user, sessions }: ShownUser): Html {
  const { now } = request;
  if (sessions.length === 0) return section('Sessions', html`<p>No browser is signed in as this user.</p>`);
  const end = form(request, {
    action: userPath(user.id),
    layout: 'inline',
    content: html`<p class="hint">API tokens keep working.</p>${button('End all sessions')}`,
  });
  return section(
    'Sessions',
    html`${table({
      caption: 'Sessions of this user',
      rows: sessions,
      columns: {
        Browser: ({ userAgent }) => browserName(userAgent),
        'Signed in': ({ createdAt }) => time(createdAt, now),
        'Last seen': ({ lastSeenAt }) => time(lastSeenAt, now),
        From: ({ origin }) => html`<code>${origin}</code>`,
      },
    })}${isSelf(request, user) ? null : end}`,
  );
}
