import type { ScopeChoices } from '@gatehouse/domain/services';
import { formatTokenCursor, MAX_SEARCH_WORDS, TOKEN_SECTIONS, tokenSearch } from '@gatehouse/domain/tokens';
import { leftOutNote } from '../address.ts';
import { buttonLink, countInWords } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { emptyState, pager } from '../elements/part.ts';
import { attributes, type Html, html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { CHECK_TOKEN, NEW_TOKEN } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type View, view } from '../view.ts';
import { type ListAddress, listPath, readAddress, valuesFor } from './token-list/address.ts';
import { adminsView } from './token-list/admins.ts';
import { attention } from './token-list/attention.ts';
import { listFilters } from './token-list/filters.ts';
import { tokenRows } from './token-list/rows.ts';
import { selectable } from './token-list/selection.ts';

type Ports = Pick<
  PagePorts,
  'findTokensNeedingAttention' | 'listAccountTokens' | 'listAdmins' | 'listScopeChoices'
>;

type Listed = Found<'listAccountTokens'>;

/**
 * `/settings/api`: lists the API tokens of the account if the user is an admin. Members see the names of the admins
 * instead.
 */
export function tokenListPage(ports: Ports): SignedInPage {
  return {
    async show(request) {
      const address = readAddress(request.query);
      const found = await ports.listAccountTokens(request.caller, address.input);
      if (!found.ok) return adminsView(await ports.listAdmins(request.caller));
      const choices = await ports.listScopeChoices(request.caller);
      if (!choices.ok) return denied(choices.error);
      // Only the first page of the unfiltered list shows which tokens need attention. A user who filters the list looks
      // for something else.
      const isStart = address.isWhole && address.section === 'active' && address.input.cursor === undefined;
      const urgent = isStart ? await ports.findTokensNeedingAttention(request.caller) : undefined;
      const above = urgent?.ok ? attention(urgent.value) : null;
      return listView(request, address, found.value, { choices: choices.value, above });
    },
  };
}

interface ListParts {
  readonly choices: ScopeChoices;
  /** Shown above the list. */
  readonly above: Html | null;
}

function listView({ now }: PageRequest, address: ListAddress, page: Listed, parts: ListParts): View {
  const { choices, above } = parts;
  const { section, values, isWhole } = address;
  const { tokens, counts, total, next, previous } = page;
  const title = 'API tokens';
  const action = html`<p class="actions">${buttonLink(CHECK_TOKEN, 'Check token')}${buttonLink(NEW_TOKEN, 'Create token', 'primary')}</p>`;
  const note = html`${leftOutNote(address.leftOut)}${moreWordsNote(values.search)}`;
  if (counts.active.count === 0 && counts.ended.count === 0) {
    const text =
      'Programs need a token to read your organizations. Create a separate token for each program. You then see when each program used its token, and can revoke one token without the others.';
    const content = html`${note}${emptyState('There are no tokens yet', text, create('Create the first token'))}`;
    return view({ title, action, content });
  }
  const sections = TOKEN_SECTIONS.map((each) => {
    const state = attributes({
      href: listPath(valuesFor(each, values)),
      'aria-current': each === section && 'page',
    });
    const label = each === 'active' ? 'Active' : 'Ended';
    // The counts are of all tokens, so a search shows its own number of results only, above the table.
    const count = isWhole && html` <span class="count">${countInWords(counts[each])}</span>`;
    return html`<a${state}>${label}${count}</a>`;
  });
  const shown =
    tokens.length === 0
      ? emptySection(address, counts)
      : selectable(address, results(total, isWhole), tokenRows(choices, address, page, now));
  const content = html`${note}${above}
<nav class="tabs" aria-label="Tokens">${sections}</nav>
${listFilters(choices, address)}
${shown}
${pager({
  label: 'tokens',
  previous: previous && listPath(values, { before: formatTokenCursor(previous.before) }),
  next: next && listPath(values, { after: formatTokenCursor(next.after) }),
})}`;
  return view({ title, action, content, scripts: ['pasted-token.js', 'token-list.js'] });
}

/** Says that a search has more words than are searched for; null if it has not. */
const moreWordsNote = (search = '') =>
  tokenSearch(search).hasMoreWords
    ? warning(html`<p>Only the first ${MAX_SEARCH_WORDS} words of the search were searched for.</p>`)
    : null;

const create = (label: string) => buttonLink(NEW_TOKEN, label);

function results(total: Listed['total'], isWhole: boolean): string {
  const [one, several] = isWhole ? ['token', 'tokens'] : ['token matches', 'tokens match'];
  return `${countInWords(total)} ${total.count === 1 ? one : several}`;
}

function emptySection({ section, isWhole, values }: ListAddress, counts: Listed['counts']): Html {
  if (!isWhole) {
    const other = section === 'active' ? 'ended' : 'active';
    const kept = valuesFor(other, values);
    const isKept = (kept.search ?? kept.scope ?? kept.owner) !== undefined;
    const links = html`<p class="actions">${
      isKept && counts[other].count > 0 ? buttonLink(listPath(kept), `Search ${other} tokens`) : null
    }${buttonLink(listPath({ section }), 'Clear search and filters')}</p>`;
    return emptyState(
      `No ${section} token matches`,
      'Change the search and the filters, or clear them to see all tokens.',
      links,
    );
  }
  if (section === 'active')
    return emptyState(
      'No token is active',
      'All tokens have ended. Create a new token for each program that needs one.',
      create('Create token'),
    );
  return emptyState(
    'No token has ended',
    'This list shows tokens that no longer work, such as expired and revoked ones.',
  );
}
