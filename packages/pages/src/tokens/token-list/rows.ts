import type { ScopeChoices } from '@gatehouse/domain/services';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import {
  diagnoseToken,
  EXPIRES_SOON_MS,
  endOf,
  type FoundAddresses,
  type TokenStatus,
} from '@gatehouse/domain/tokens';
import { email, state } from '../../elements/inline.ts';
import { scopesInRow } from '../../elements/scope-list.ts';
import { table } from '../../elements/table.ts';
import { lastDayInList, time } from '../../elements/time.ts';
import { FAILING_WORDS, seenInWords, stateOfToken } from '../../elements/token-words.ts';
import { attributes, type Html, html, type Shown } from '../../html.ts';
import type { Found } from '../../page-use-cases.ts';
import { API_TOKENS, tokenPathFrom } from '../../paths.ts';
import type { ListAddress } from './address.ts';
import { sortOf } from './sort.ts';

/**
 * A table of tokens, in one line each. Each row has a link to the page of the token, and the addresses that matched the
 * search. Active tokens have a box, with which users select them.
 */
export function tokenRows(
  choices: ScopeChoices,
  address: ListAddress,
  { tokens, foundAddresses }: Found<'listAccountTokens'>,
  now: Instant,
): Html {
  const isActive = address.section === 'active';
  const ends = isActive ? expires : ended;
  const owners = Map.groupBy(tokens, ({ user }) => user.name);
  const isAlone = ({ user }: TokenStatus) =>
    owners.get(user.name)?.every((other) => other.user.id === user.id);
  return table({
    caption: isActive ? 'Active tokens' : 'Ended tokens',
    rows: tokens,
    list: isActive ? 'cards-even tokens' : 'cards-even tokens tokens-ended',
    sort: sortOf(address),
    columns: {
      Name: (token) =>
        html`${isActive && boxOf(token)}${nameOf(token)}${found(token, foundAddresses.get(token.id), now)}`,
      // Two owners of one name are told apart by their addresses.
      Owner: (token) =>
        html`${token.user.name}${token.user.kind === 'service' ? html`<small>Service account</small>` : !isAlone(token) && html`<small>${email(token.user.email)}</small>`}`,
      Scopes: ({ scopes }) => scopesInRow(choices, scopes),
      'Last used': (token) => lastUse(token, foundAddresses.has(token.id), now),
      [isActive ? 'Expires' : 'Ended']: (token: TokenStatus) => ends(token, now),
    },
  });
}

/** The box of a row. A token that is being replaced cannot be rotated; the script reads this here. */
function boxOf({ id, name: text, state: of }: TokenStatus): Html {
  const isReplaced = of === 'being_replaced';
  return html`<input${attributes({ type: 'checkbox', name: 'id', value: id, 'aria-label': text, 'data-replaced': isReplaced })}> `;
}

function nameOf(token: TokenStatus): Html {
  const { id, name: text, state: of } = token;
  const found = diagnoseToken(token);
  const failing = found.works && found.lastRefusal;
  return html`<a href="${tokenPathFrom(API_TOKENS, id)}">${text}</a>${of === 'active' ? null : html` ${stateOfToken(of)}`}${
    failing && html` ${state('warning', `Failing: ${FAILING_WORDS[failing.reason]}`)}`
  }`;
}

/**
 * Lists the addresses that matched the search. Leaves out the address of the last use, because the row then shows it
 * anyway.
 */
function found({ usage }: TokenStatus, addresses: FoundAddresses | undefined, now: Instant): Html | null {
  if (addresses === undefined) return null;
  const { refusedFrom } = addresses;
  const usedFrom = addresses.usedFrom.filter(({ address }) => address !== usage.lastUsedFrom);
  return html`${usedFrom.length > 0 && html`<small>Used ${seenInWords(usedFrom, now)}</small>`}${
    refusedFrom.length > 0 && html`<small>Refused ${seenInWords(refusedFrom, now)}</small>`
  }`;
}

/** Says when and from where a token was last used. The address is shown if the search asks for addresses. */
function lastUse(
  { usage: { lastUsedAt, lastUsedFrom } }: TokenStatus,
  showsAddress: boolean,
  now: Instant,
): Shown {
  if (lastUsedAt === null) return none('Never');
  if (showsAddress && lastUsedFrom !== null)
    return html`${time(lastUsedAt, now)}<small>from ${lastUsedFrom}</small>`;
  return time(lastUsedAt, now, lastUsedFrom === null ? '' : ` from ${lastUsedFrom}`);
}

function expires({ expiresAt }: TokenStatus, now: Instant): Shown {
  if (expiresAt === null) return none('Never');
  const isSoon = expiresAt < addMilliseconds(now, EXPIRES_SOON_MS);
  return isSoon ? state('warning', time(expiresAt, now)) : lastDayInList(expiresAt);
}

function ended(token: TokenStatus, now: Instant): Shown {
  const end = endOf(token);
  return end === null || end > now ? none('No date') : time(end, now);
}

const none = (word: string) => html`<small>${word}</small>`;
