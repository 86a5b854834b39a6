import {
  ATTENTION_KINDS,
  type AttentionKind,
  type findTokensNeedingAttention,
} from '@gatehouse/domain/tokens';
import { countInWords } from '../elements/count.ts';
import { warning } from '../elements/notice.ts';
import { name } from '../elements/state.ts';
import { type Html, html } from '../html.ts';
import { listPath, type Values } from './address.ts';

type Found = Extract<
  Awaited<ReturnType<ReturnType<typeof findTokensNeedingAttention>>>,
  { ok: true }
>['value'];

interface Words {
  readonly one: string;
  readonly several: string;
  /** The address values of the list of these tokens. */
  readonly values: Values;
}

const WORDS: Readonly<Record<AttentionKind, Words>> = {
  expiring: {
    one: 'token expires within 14 days',
    several: 'tokens expire within 14 days',
    values: { expires: '14d' },
  },
  unused: {
    one: 'token was not used for 90 days',
    several: 'tokens were not used for 90 days',
    values: { unused_for: '90d' },
  },
  refusedSinceUse: {
    one: 'token was refused since its last use',
    several: 'tokens were refused since their last use',
    values: { state: 'refused' },
  },
  creatorInactive: {
    one: 'token does not work, because its owner is disabled',
    several: 'tokens do not work, because their owners are disabled',
    values: { section: 'ended', state: 'user_disabled' },
  },
};

/** Lists what needs attention, one line for each reason with a link to its tokens; null if all is well. */
export function attention(found: Found): Html | null {
  const lines = ATTENTION_KINDS.filter((kind) => found[kind].count > 0).map((kind) =>
    lineOf(kind, found[kind]),
  );
  if (lines.length === 0) return null;
  return warning(html`<h2>Needs attention</h2><ul>${lines}</ul>`);
}

function lineOf(kind: AttentionKind, { count, more, first }: Found[AttentionKind]): Html {
  const { one, several, values } = WORDS[kind];
  const names = first.map((token, index) => html`${index > 0 && ', '}${name(token.name)}`);
  const rest = more || count > first.length ? ' and others' : '';
  return html`<li><a href="${listPath(values)}">${countInWords({ count, more })} ${count === 1 ? one : several}</a>: <span class="muted brief">${names}${rest}</span></li>`;
}
