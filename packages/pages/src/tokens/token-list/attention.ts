import { ATTENTION_KINDS, type AttentionKind } from '@gatehouse/domain/tokens';
import { countInWords, name } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { type Html, html } from '../../html.ts';
import type { Found } from '../../page-use-cases.ts';
import { listPath, type Values } from './address.ts';

/** The words for one token and for several tokens, and the filter that lists these tokens. */
const WORDS: Readonly<Record<AttentionKind, readonly [one: string, several: string, values: Values]>> = {
  expiring: ['token expires within 14 days', 'tokens expire within 14 days', { expires: '14d' }],
  unused: ['token was not used for 90 days', 'tokens were not used for 90 days', { unused_for: '90d' }],
  refusedSinceUse: [
    'token was refused after its last use',
    'tokens were refused after their last use',
    { state: 'refused' },
  ],
  overPolicy: [
    'token breaks the token rules of the account',
    'tokens break the token rules of the account',
    { state: 'over_policy' },
  ],
  creatorInactive: [
    'token does not work, because its owner is disabled',
    'tokens do not work, because their owners are disabled',
    { section: 'ended', state: 'user_disabled' },
  ],
};

type Attention = Found<'findTokensNeedingAttention'>;

/** Lists why tokens need attention, each reason with a link to its tokens; null if no token needs attention. */
export function attention(found: Attention): Html | null {
  const kinds = ATTENTION_KINDS.filter((kind) => found[kind].count > 0);
  if (kinds.length === 0) return null;
  const lines = kinds.map((kind) => lineOf(kind, found[kind]));
  return warning(html`<h2>Needs attention</h2><ul>${lines}</ul>`);
}

function lineOf(kind: AttentionKind, { count, more, first }: Attention[AttentionKind]): Html {
  const [one, several, values] = WORDS[kind];
  const names = first.map((token, index) => html`${index > 0 && ', '}${name(token.name)}`);
  const rest = more || count > first.length ? ' and others' : '';
  return html`<li><a href="${listPath(values)}">${countInWords({ count, more })} ${count === 1 ? one : several}</a>: <span class="muted brief">${names}${rest}</span></li>`;
}
