import type { AuditAction, ToldEntry } from '@gatehouse/domain/audit';
import { parseInstant } from '@gatehouse/domain/time';
import type { TokenPage } from '@gatehouse/domain/tokens';
import { name } from '../../elements/inline.ts';
import { section } from '../../elements/part.ts';
import { table } from '../../elements/table.ts';
import { lastDay, time } from '../../elements/time.ts';
import { type Html, html } from '../../html.ts';
import type { PageRequest } from '../../session/page-request.ts';

const DONE: Readonly<Partial<Record<AuditAction, string>>> = {
  'token.created': 'Created',
  'token.updated': 'Changed',
  'token.networks_set': 'Networks changed',
  'token.revoked': 'Revoked',
  'token.transferred': 'Given to another admin',
  'token.rotated': 'Rotated',
  'token.replaced': 'Replaced: the new token was used for the first time',
  'token.expires_soon': 'Expires soon',
  'token.expired_in_use': 'Expired while programs used it',
  'token.unused': 'Not used for 90 days',
  'token.used_from_new_network': 'Used from a new network',
};

/** Lists the events of a token, newest first. */
export function historyPart({ history, hasOlderEvents }: TokenPage, request: PageRequest): Html {
  const rows = table({
    caption: 'History',
    columns: {
      What: whatInWords,
      Who: (entry) => actorInWords(entry, request),
      When: ({ event }) => time(event.at, request.now),
      From: ({ event }) => (event.actor.kind === 'user' && event.origin !== null ? event.origin : '—'),
    },
    rows: history,
  });
  return section(
    'History',
    html`${rows}${hasOlderEvents && html`<p class="hint">Only the newest events are shown.</p>`}`,
  );
}

function whatInWords({ event: { action, details } }: ToldEntry): Html {
  const { former_name: formerName, expires_at: end, description, reason } = details;
  const endsAt = action === 'token.updated' && typeof end === 'string' ? parseInstant(end) : undefined;
  return html`${DONE[action] ?? action}${
    typeof formerName === 'string' && html`: the former name is ${name(formerName)}`
  }${endsAt !== undefined && html`: the last day is ${lastDay(endsAt)}`}${
    action === 'token.updated' && described(description)
  }${action === 'token.networks_set' && networksInWords(details)}${noticedInWords(details)}${typeof reason === 'string' && html`: ${name(reason)}`}`;
}

/** Says from which networks the token may be used since the event. */
function networksInWords({ networks, networks_mode: mode }: ToldEntry['event']['details']): string {
  const list = Array.isArray(networks) ? networks.join(', ') : '';
  if (mode === 'off') return ': it may be used from everywhere';
  return mode === 'enforced' ? `: only from ${list}` : `: report-only, ${list}`;
}

/** Says how many days were left, or which network is new; null for other events. */
function noticedInWords({ days, network }: ToldEntry['event']['details']): Html | null {
  if (typeof days === 'number') return html`: ${days === 1 ? '1 day' : `${days} days`} left`;
  return typeof network === 'string' ? html`: ${network}` : null;
}

/** Says that the description was changed; null if the event does not tell of a description. */
function described(description: unknown): Html | null {
  if (description === null) return html`: the description was removed`;
  return typeof description === 'string' ? html`: the description is ${name(description)}` : null;
}

function actorInWords({ event, actorEmail }: ToldEntry, { user }: PageRequest): Html | string {
  const { actor } = event;
  if (actor.kind === 'operator') {
    if (actor.for === undefined) return 'an operator';
    return html`an operator, for ${name(actorEmail ?? `user ${actor.for}`)}`;
  }
  if (actor.kind === 'token')
    return event.action === 'token.used_from_new_network' ? 'this token' : 'the new token';
  if (actor.kind === 'system') return 'Gatehouse';
  if (actor.id === user.id) return 'you';
  return actorEmail === null ? `user ${actor.id}` : name(actorEmail);
}
