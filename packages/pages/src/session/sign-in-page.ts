import { randomBytes } from 'node:crypto';
import type { Answer, Header } from '@gatehouse/http';
import { form, showFields } from '../elements/form.ts';
import { button } from '../elements/inline.ts';
import { page } from '../elements/layout.ts';
import { alert } from '../elements/notice.ts';
import { formToken } from '../forms/form-token.ts';
import { attributes, type Html, html } from '../html.ts';
import { setCookie } from '../http/cookies.ts';
import { pageAnswer } from '../http/page-answer.ts';
import { FORGOT_PASSWORD, SIGN_IN } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import { providerButtons } from '../providers/provider-buttons.ts';
import { view } from '../view.ts';
import type { Visit } from '../visit.ts';
import { canForget } from './can-forget.ts';

export type SignInPagePorts = Pick<PagePorts, 'isMailSetUp' | 'listProviders' | 'passwordSignIn'>;

/** A hidden field, which has no label. */
const HIDDEN = { label: '' } as const;

export const SIGN_IN_FIELDS = {
  email: { label: 'Email', type: 'email', autocomplete: 'username' },
  password: { label: 'Password', type: 'password', autocomplete: 'current-password' },
  next: HIDDEN,
  draft: HIDDEN,
} as const;

interface SignInPage {
  readonly status: number;
  /** The path that opens after the sign-in. */
  readonly next?: string | undefined;
  /** A draft that `sealDraft` wrote. A hidden field of the form keeps the draft until the sign-in. */
  readonly draft?: string | undefined;
  readonly email?: string;
  readonly problem?: Html | string;
  readonly said?: Html | null;
  readonly headers?: readonly Header[];
}

/**
 * A response with the status 401 needs a challenge (RFC 9110 section 15.5.2). Browsers do not know the scheme `Form`,
 * so they show the page instead of asking for a password themselves.
 */
export const CHALLENGE: Header = ['www-authenticate', 'Form realm="gatehouse"'];

/**
 * Returns the secret that protects the sign-in form. Without this secret, an attacker's site could sign a visitor in as
 * the attacker, and the visitor would then create tokens for the attacker.
 */
export function visitSecret(visit: Visit): string {
  return visit.cookie('visit') ?? randomBytes(32).toString('base64url');
}

export function signInPage(
  { listProviders, ...ports }: SignInPagePorts,
  visit: Visit,
  parts: SignInPage,
  secret = visitSecret(visit),
): Answer {
  const { status, next, draft, email = '', problem, said = null, headers = [] } = parts;
  const hidden = { ...(next !== undefined && { next }), ...(draft !== undefined && { draft }) };
  const field = showFields(SIGN_IN_FIELDS, { email });
  const providers = listProviders();
  const isPasswordLast = ports.passwordSignIn === 'break-glass' && providers.length > 0;
  const fields = html`${isPasswordLast ? EMERGENCIES : null}${field('email', { hasFocus: email === '' })}
${field('password', { hasFocus: email !== '' })}
${button('Sign in', isPasswordLast ? 'plain' : 'primary')}
${canForget(ports) ? FORGOTTEN : ASK_AN_ADMIN}`;
  const content = form(
    { formToken: (path, target) => formToken(secret, { path, target }) },
    { action: SIGN_IN, hidden, content: fields },
  );
  const buttons = providerButtons(providers, { next, isMain: isPasswordLast });
  const ways = isPasswordLast
    ? html`${buttons}${forEmergencies(content, status)}`
    : html`${content}${buttons}`;
  const shown = page(
    view({ title: 'Sign in', content: ways }),
    problem === undefined ? said : alert(problem),
  );
  const challenge = status === 401 ? [CHALLENGE] : [];
  const cookie = visit.cookie('visit') === secret ? [] : [setCookie(visit.site, 'visit', secret)];
  // A link to a provider sends no hidden field, so a cookie keeps the draft until the browser comes back.
  const kept = draft !== undefined && providers.length > 0 ? [setCookie(visit.site, 'draft', draft)] : [];
  return pageAnswer(visit.site, status, shown, [...challenge, ...cookie, ...kept, ...headers]);
}

const FORGOTTEN = html`<p><a href="${FORGOT_PASSWORD}">Forgot your password?</a></p>`;

const ASK_AN_ADMIN = html`<p class="hint">Forgot your password? Ask an admin of your account for a reset link.</p>`;

const EMERGENCIES = html`<p class="hint">Passwords are for emergencies, after an operator opened yours, and for accounts without an identity provider.</p>`;

/** Hides the form of the password behind a line, unless the form was just sent. */
function forEmergencies(content: Html, status: number): Html {
  return html`<details class="field"${attributes({ open: status !== 200 })}><summary>Sign in with a password</summary>
${content}</details>`;
}
