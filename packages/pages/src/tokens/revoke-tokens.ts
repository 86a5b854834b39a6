import { isAcceptedIn, parseTokenId, type TokenId } from '@gatehouse/domain/tokens';
import { type FieldErrors, formView, hiddenFields } from '../elements/form.ts';
import { button, buttonLink, name } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { backTo, emptyState } from '../elements/part.ts';
import { time } from '../elements/time.ts';
import { STATES } from '../elements/token-words.ts';
import { type Html, html } from '../html.ts';
import type { Found, PageUseCases } from '../page-use-cases.ts';
import { API_TOKENS, REVOKE_TOKENS, tokenPath } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, type Outcome, redirect, type View, view } from '../view.ts';
import { REASON } from './revoke-token.ts';

type Ports = Pick<PageUseCases, 'revokeTokens' | 'showTokens'>;

/** The form sends the ids in one hidden field, with commas between them. */
const FIELDS = { ids: { label: 'Tokens' }, reason: REASON } as const;

const TITLE = 'Revoke tokens';

const FRAME = { title: TITLE, above: backTo(API_TOKENS, 'API tokens') };

type Shown = Found<'showTokens'>[number];

/**
 * `/settings/api/revoke?id=…&id=…`: lists the selected tokens, asks once, and revokes them together. As for a single
 * token, the form does not ask for a password.
 */
export function revokeTokensPage(ports: Ports): SignedInPage<typeof FIELDS> {
  async function show(
    request: PageRequest,
    texts: readonly string[],
    reason = '',
    errors: FieldErrors = [],
  ): Promise<Outcome> {
    const ids = idsIn(texts);
    if (ids === undefined) return errorPage('not_found');
    if (ids.length === 0) return nothingSelected();
    const found = await ports.showTokens(request.caller, ids);
    if (!found.ok) {
      const { error } = found;
      return error.code === 'invalid_input' ? errorPage('malformed_body') : denied(error);
    }
    const live = found.value.filter(({ state }) => isAcceptedIn(state));
    const ended = found.value.filter(({ state }) => !isAcceptedIn(state));
    if (live.length === 0) return view({ ...FRAME, content: endedPart(ended) });
    return formView(request, {
      ...FRAME,
      lead: html`${warning(
        html`<p>Programs that use these tokens stop working at once. This cannot be undone.</p>${listOf(live, (token) => useOf(token, request))}`,
      )}${ended.length > 0 && endedPart(ended)}`,
      action: REVOKE_TOKENS,
      fields: FIELDS,
      values: { reason },
      errors,
      content: (field) => html`${hiddenFields({ ids: live.map(({ id }) => id).join(',') })}${field('reason')}
<p class="actions">${button(`Revoke ${inWords(live.length)}`, 'danger')}${buttonLink(API_TOKENS, 'Cancel')}</p>`,
    });
  }

  return {
    show: (request, typed) =>
      show(request, typed === undefined ? request.query.getAll('id') : sentIn(typed.ids), typed?.reason),
    form: {
      fields: FIELDS,
      async submit(request, { ids: sent, reason }) {
        const texts = sentIn(sent);
        const ids = idsIn(texts);
        if (ids === undefined) return errorPage('not_found');
        if (ids.length === 0) return nothingSelected();
        const revoked = await ports.revokeTokens(request.caller, { ids, reason: reason.trim() || null });
        if (revoked.ok) return reportOf(revoked.value);
        const { error } = revoked;
        if (error.code !== 'invalid_input') return denied(error);
        const isAboutReason = error.problems.some(({ field }) => field === 'reason');
        return isAboutReason ? show(request, texts, reason, error.problems) : errorPage('malformed_body');
      },
    },
  };
}

const sentIn = (text: string) => (text === '' ? [] : text.split(','));

/** Returns the ids; undefined if one of the texts is no id. */
function idsIn(texts: readonly string[]): readonly TokenId[] | undefined {
  const ids = texts.map(parseTokenId);
  return ids.includes(undefined) ? undefined : (ids as TokenId[]);
}

const inWords = (count: number) => (count === 1 ? '1 token' : `${count} tokens`);

function nothingSelected(): View {
  const back = buttonLink(API_TOKENS, 'Back to the tokens');
  return view({
    ...FRAME,
    content: emptyState('No token is selected', 'Select tokens in the list first.', back),
  });
}

/** Lists tokens with a link to each, and with what `about` says of it. */
function listOf<T extends Pick<Shown, 'id' | 'name'>>(
  tokens: readonly T[],
  about: (token: T) => Html | string | null,
): Html {
  return html`<ul>${tokens.map((token) => html`<li><a href="${tokenPath(token.id)}">${name(token.name)}</a>${about(token)}</li>`)}</ul>`;
}

function useOf({ user, usage: { lastUsedAt } }: Shown, { now }: PageRequest): Html {
  return html` of ${name(user.name)}, ${lastUsedAt === null ? 'never used' : html`used ${time(lastUsedAt, now)}`}`;
}

function endedPart(tokens: readonly Shown[]): Html {
  return html`<div class="sheet"><p>Already ended, and not changed:</p>${listOf(tokens, ({ state }) => `, ${STATES[state][1].toLowerCase()}`)}</div>`;
}

/** Says of each token whether it was revoked now. If all were, the list says so. */
function reportOf(revoked: Found<'revokeTokens'>): Outcome {
  const before = revoked.filter(({ already }) => already).map(({ token }) => token);
  if (before.length === 0) return redirect(API_TOKENS, 'tokens_revoked');
  const now = revoked.filter(({ already }) => !already).map(({ token }) => token);
  const nothing = () => null;
  return view({
    ...FRAME,
    content: html`<div class="sheet" role="status">${now.length > 0 && html`<p>Revoked now:</p>${listOf(now, nothing)}`}
<p>Already ended before, and not changed:</p>${listOf(before, nothing)}</div>
<p class="actions">${buttonLink(API_TOKENS, 'Back to the tokens')}</p>`,
  });
}
