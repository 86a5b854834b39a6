import { tokensIn } from '@gatehouse/domain';
import { type CheckedToken, isRecordRefusal, TOKEN_MAX_LENGTH } from '@gatehouse/domain/tokens';
import { formView } from '../elements/form.ts';
import { button, buttonLink, name, state } from '../elements/inline.ts';
import { alert, warning } from '../elements/notice.ts';
import { backTo, facts } from '../elements/part.ts';
import { lastDay, time } from '../elements/time.ts';
import { REFUSAL_WORDS } from '../elements/token-words.ts';
import { type Html, html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { API_TOKENS, CHECK_TOKEN, revokePath, tokenPath } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied } from '../view.ts';

/** A field of the type `password`, so that no page, draft or history of the browser has the token. */
const FIELDS = {
  token: {
    label: 'Token',
    hint: 'The token is not stored, and checking it does not count as a use.',
    type: 'password',
    // Keeps password managers from offering to save it.
    autocomplete: 'one-time-code',
    isRequired: true,
    hasFocus: true,
    // The text around a token is pasted with it.
    maxLength: 2 * TOKEN_MAX_LENGTH,
  },
} as const;

/**
 * `/settings/api/check`: says whose a pasted token is and whether it works, and leads to its revocation. Admins check
 * the tokens of their account, and members their own. The token may be within another text, such as a header or a line
 * of code. Any text without a token of theirs has one answer.
 */
export function checkTokenPage({
  checkToken,
}: Pick<PageUseCases, 'checkToken'>): SignedInPage<typeof FIELDS> {
  return {
    show: (request) => page(request, request.query.get('from') === 'address' ? IN_ADDRESS : undefined),
    form: {
      fields: FIELDS,
      async submit(request, { token }) {
        const again = (message: string) => page(request, undefined, [{ field: 'token', message }]);
        const [text = '', ...others] = pasted(token);
        if (text === '') return again('is required');
        if (others.length > 0) return again(`The text has ${others.length + 1} tokens. Check one at a time.`);
        const checked = await checkToken(request.caller, text);
        if (checked.ok) return page(request, found(request, checked.value));
        const { error } = checked;
        return error.code === 'token_not_found' ? page(request, unseen(request)) : denied(error);
      },
    },
  };
}

const IN_ADDRESS =
  warning(html`<p><strong>You searched for a token.</strong> Gatehouse did not search for it. But it is now in the address
of a page, and browsers and proxies keep addresses. Check the token below, and revoke it.</p>`);

/**
 * Returns the different tokens of a text. Programs break long lines, so a token may have white space in it. If the text
 * has no token, returns the text itself.
 */
function pasted(text: string): readonly string[] {
  const joined = text.replace(/^\s*bearer\s+/i, '').replaceAll(/\s/g, '');
  if (tokensIn(joined)[0] === joined) return [joined];
  const found = new Set(tokensIn(text));
  return found.size === 0 ? [joined] : [...found];
}

function page(request: PageRequest, lead?: Html, errors: Parameters<typeof formView>[1]['errors'] = []) {
  return formView(request, {
    title: 'Check token',
    above: backTo(API_TOKENS, 'API tokens'),
    action: CHECK_TOKEN,
    fields: FIELDS,
    errors,
    ...(lead && { lead }),
    content: (field) => html`${field('token')}<p class="actions">${button('Check token', 'primary')}</p>`,
  });
}

/** The one answer about every text that is not a token of the user's own or, for an admin, of the account. */
function unseen({ user }: PageRequest): Html {
  const whose = user.role === 'admin' ? 'a token of your account' : 'one of your tokens';
  return alert(html`<p><strong>This is not ${whose}.</strong> The text may be incomplete or changed, the token may have
been deleted, or it belongs to others.</p>`);
}

function found({ now, user }: PageRequest, token: CheckedToken): Html {
  const { expiresAt, usage, revocation } = token;
  const owner =
    token.user.id === user.id ? 'You' : html`${name(token.user.name)} (${name(token.user.email)})`;
  return html`<section class="sheet" aria-labelledby="found"><h2 id="found">${name(token.name)}</h2>
${verdict(token)}
${facts([
  ['Owner', owner],
  ['Last used', usage.lastUsedAt === null ? 'Never' : time(usage.lastUsedAt, now)],
  ['Expires', expiresAt === null ? 'Never' : lastDay(expiresAt)],
  ['Revoked', revocation && time(revocation.at, now)],
])}
${user.role === 'admin' ? links(token) : html`<p>To revoke this token, ask <a href="${API_TOKENS}">an admin of your account</a>.</p>`}</section>`;
}

function links({ id, refusal }: CheckedToken): Html {
  const hasEnded = refusal === 'revoked' || refusal === 'expired';
  return html`<p class="actions">${hasEnded ? null : buttonLink(revokePath(id), 'Revoke token', 'danger')}${buttonLink(tokenPath(id), 'View token')}</p>`;
}

function verdict({ refusal }: CheckedToken): Html {
  if (refusal === null) return html`<p>${state('good', 'Works')} Requests with this token are accepted.</p>`;
  const why = isRecordRefusal(refusal)
    ? REFUSAL_WORDS[refusal]
    : 'it does not match its record, for example because the issuer of the server was changed';
  return html`<p>${state('bad', 'Does not work')} Requests with this token are refused, because ${why}.</p>`;
}
