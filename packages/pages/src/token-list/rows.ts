import type { ScopeChoices } from '@gatehouse/domain/services';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import {
  diagnoseToken,
  EXPIRES_SOON_MS,
  endOf,
  type FoundAddresses,
  type TokenSection,
  type TokenStatus,
} from '@gatehouse/domain/tokens';
import { email, name, state } from '../elements/inline.ts';
import { scopesInRow } from '../elements/scope-list.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { REFUSAL_WORDS, seenInWords, stateOfToken } from '../elements/token-words.ts';
import { type Html, html, type Shown } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { API_TOKENS, tokenPathFrom } from '../paths.ts';

/** A table of tokens. Each row has a link to the page of the token, and the addresses that matched the search. */
export function tokenRows(
  choices: ScopeChoices,
  section: TokenSection,
  { tokens, foundAddresses }: Found<'listAccountTokens'>,
  now: Instant,
): Html {
  const ends = section === 'active' ? expires : ended;
  return table({
    caption: section === 'active' ? 'Active tokens' : 'Ended tokens',
    rows: tokens,
    list: section === 'active' ? 'cards-even tokens' : 'cards-even tokens tokens-ended',
    columns: {
      Name: (token) => html`${nameOf(token)}${found(token, foundAddresses.get(token.id), now)}`,
      Owner: ({ user }) => html`${name(user.name)}<small>${email(user.email)}</small>`,
      Scopes: ({ scopes }) => scopesInRow(choices, scopes),
      'Last use': (token) => lastUse(token, now),
      'Last refusal': (token) => lastRefusal(token, now),
      [section === 'active' ? 'Expires' : 'Ended']: (token: TokenStatus) => ends(token, now),
    },
  });
}

function nameOf({ id, name: text, state: of }: TokenStatus): Html {
  return html`<a href="${tokenPathFrom(API_TOKENS, id)}">${name(text)}</a>${of === 'active' ? null : html` ${stateOfToken(of)}`}`;
}

/**
 * Lists the addresses that matched the search. Leaves out the addresses of the last use and of the last refusal,
 * because the row already shows them.
 */
function found({ usage }: TokenStatus, addresses: FoundAddresses | undefined, now: Instant): Html | null {
  if (addresses === undefined) return null;
  const usedFrom = addresses.usedFrom.filter(({ address }) => address !== usage.lastUsedFrom);
  const refusedFrom = addresses.refusedFrom.filter(({ address }) => address !== usage.lastRefusal?.from);
  return html`${usedFrom.length > 0 && html`<small>Used ${seenInWords(usedFrom, now)}</small>`}${
    refusedFrom.length > 0 && html`<small>Refused ${seenInWords(refusedFrom, now)}</small>`
  }`;
}

function lastUse({ usage: { lastUsedAt, lastUsedFrom } }: TokenStatus, now: Instant): Shown {
  if (lastUsedAt === null) return none('Never');
  return html`${time(lastUsedAt, now)}${lastUsedFrom !== null && html`<small>${from(lastUsedFrom)}</small>`}`;
}

function lastRefusal(token: TokenStatus, now: Instant): Shown {
  const { lastRefusal: refusal } = token.usage;
  if (refusal === null) return none('None');
  const isNews = diagnoseToken(token).lastRefusal;
  const why = html`${REFUSAL_WORDS[refusal.reason]}${refusal.from !== null && html`<br>${from(refusal.from)}`}`;
  return html`${time(refusal.at, now)}${isNews && html` ${state('warning', 'Not used since')}`}<small>${why}</small>`;
}

function expires({ expiresAt }: TokenStatus, now: Instant): Shown {
  if (expiresAt === null) return none('Never');
  const isSoon = expiresAt < addMilliseconds(now, EXPIRES_SOON_MS);
  return isSoon ? state('warning', time(expiresAt, now)) : time(expiresAt, now);
}

function ended(token: TokenStatus, now: Instant): Shown {
  const end = endOf(token);
  return end === null || end > now ? none('No date') : time(end, now);
}

const none = (word: string) => html`<small>${word}</small>`;

const from = (address: string) => html`from ${address}`;
