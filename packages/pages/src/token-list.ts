import type { ScopeChoices } from '@gatehouse/domain/services';
import { formatTokenCursor, TOKEN_SECTIONS } from '@gatehouse/domain/tokens';
import { leftOutNote } from './address.ts';
import { buttonLink, countInWords } from './elements/inline.ts';
import { emptyState, pager } from './elements/part.ts';
import { attributes, type Html, html } from './html.ts';
import type { Found } from './page-use-cases.ts';
import { NEW_TOKEN } from './paths.ts';
import type { PagePorts } from './ports.ts';
import type { PageRequest } from './session/page-request.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { type ListAddress, listPath, readAddress, valuesFor } from './token-list/address.ts';
import { adminsView } from './token-list/admins.ts';
import { attention } from './token-list/attention.ts';
import { listFilters } from './token-list/filters.ts';
import { tokenRows } from './token-list/rows.ts';
import { denied, type View, view } from './view.ts';

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
  const action = buttonLink(NEW_TOKEN, 'Create token', 'primary');
  const note = leftOutNote(address.leftOut);
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
    return html`<a${state}>${each === 'active' ? 'Active' : 'Ended'} <span class="count">${countInWords(counts[each])}</span></a>`;
  });
  const shown = tokens.length === 0 ? emptySection(address) : tokenRows(choices, section, page, now);
  const content = html`${note}${above}
<nav class="tabs" aria-label="Tokens">${sections}</nav>
${listFilters(choices, address)}
${isWhole || tokens.length === 0 ? null : html`<p>${matches(total)}</p>`}
${shown}
${pager({
  label: 'tokens',
  previous: previous && listPath(values, { before: formatTokenCursor(previous.before) }),
  next: next && listPath(values, { after: formatTokenCursor(next.after) }),
})}`;
  return view({ title, action, content });
}

const create = (label: string) => buttonLink(NEW_TOKEN, label);

function matches(total: Listed['total']): string {
  return total.count === 1 ? '1 token matches' : `${countInWords(total)} tokens match`;
}

function emptySection({ section, isWhole }: ListAddress): Html {
  if (!isWhole) {
    const clear = buttonLink(listPath({ section }), 'Clear search and filters');
    return emptyState(
      'No token matches',
      'Change the search and the filters, or clear them to see all tokens.',
      clear,
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
