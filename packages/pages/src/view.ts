import type { AccessDenied } from '@gatehouse/domain/access';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import type { Header } from '@gatehouse/http';
import type { AssetName } from './assets.ts';
import { alert, type NoticeName } from './elements/notice.ts';
import { type Html, html } from './html.ts';

/** A page without its frame: the header, the navigation and the footer are added by `elements/layout.ts`. */
export interface View {
  readonly kind: 'view';
  /** Default: 200. */
  readonly status?: number;
  /** The `title` and the `h1` of the page. */
  readonly title: string;
  readonly content: Html;
  /** Shown above the title, such as a link back. */
  readonly above?: Html;
  /** Shown beside the title, such as the main action of the page. */
  readonly action?: Html;
  /** Default: a narrow page, as wide as a form. */
  readonly width?: 'wide';
  /** Stylesheets in addition to style.css, which all pages load. */
  readonly styles?: readonly AssetName[];
  readonly scripts?: readonly AssetName[];
  readonly headers?: readonly Header[];
}

export const view = (parts: Omit<View, 'kind'>): View => ({ kind: 'view', ...parts });

/** Returns the same page with an error message above its content, such as why the server did not accept a form. */
export function withAlert(shown: View, text: string, status: number, headers: readonly Header[] = []): View {
  return { ...shown, content: html`${alert(text)}${shown.content}`, status, headers };
}

/** Redirects to another page, which shows the notice. */
export const redirect = (path: string, notice?: NoticeName) => ({ kind: 'redirect', path, notice }) as const;

/**
 * Redirects to the sign-in, because the session has ended or another request has renewed the session. The values that
 * the user typed are shown again afterwards.
 */
export const SESSION_ENDED = { kind: 'session_ended' } as const;

/** Leads the browser to another origin, such as an identity provider. @param to the name of the place */
export const leave = (address: string, to: string, headers: readonly Header[] = []) =>
  ({ kind: 'leave', address, to, headers }) as const;

/**
 * Asks the identity provider that opened the session to confirm the user. The values that the user typed are shown
 * again afterwards.
 */
export const CONFIRM_IDENTITY = { kind: 'confirm_identity' } as const;

/** Shows the error page of a problem instead of the page. */
export const errorPage = (name: ProblemName) => ({ kind: 'error', name }) as const;

export type ErrorPage = ReturnType<typeof errorPage>;

/** The answers that a page can give to a request. */
export type Outcome =
  | View
  | ErrorPage
  | ReturnType<typeof redirect>
  | ReturnType<typeof leave>
  | typeof SESSION_ENDED;

/** The answers that a page can give to a form. */
export type FormOutcome = Outcome | typeof CONFIRM_IDENTITY;

/**
 * Returns the error page for a use case that was refused. For a resource of another account, this is the page of a
 * resource that does not exist.
 */
export function denied({ code }: AccessDenied | Absent): ErrorPage {
  return errorPage(NOT_ALLOWED.has(code) ? 'not_allowed' : 'not_found');
}

const NOT_ALLOWED: ReadonlySet<string> = new Set<AccessDenied['code']>([
  'insufficient_scope',
  'network_not_allowed',
  'not_allowed',
  'token_not_accepted',
]);

interface Absent {
  readonly code:
    | `${'account' | 'organization' | 'service_account' | 'token' | 'user' | 'webhook'}_not_found`
    | 'member_of_another_account';
}
