import type { AccessDenied } from '@gatehouse/domain/access';
import type { ProblemName } from '@gatehouse/extension-kit/http';
import type { Header } from '@gatehouse/http';
import type { AssetName } from './assets.ts';
import type { NoticeName } from './elements/notice.ts';
import type { Html } from './html.ts';

/** The content of a page, within the layout. */
export interface View {
  readonly kind: 'view';
  /** Default: 200. */
  readonly status?: number;
  /** The title of the page and its one `h1`. */
  readonly title: string;
  /** Stands below the title. */
  readonly content: Html;
  /** The content above the title, such as a link back. */
  readonly above?: Html;
  /** The content beside the title, such as the page's primary action. */
  readonly action?: Html;
  /** The width of the text. Default: narrow, which suits a form. */
  readonly width?: 'wide';
  /** Besides the stylesheet of all pages. */
  readonly styles?: readonly AssetName[];
  readonly scripts?: readonly AssetName[];
  readonly headers?: readonly Header[];
}

export const view = (parts: Omit<View, 'kind'>): View => ({ kind: 'view', ...parts });

/** A redirect to another page, which may show a message. */
export const redirect = (path: string, notice?: NoticeName) => ({ kind: 'redirect', path, notice }) as const;

/** The session has ended, or another request renewed it. Nothing was done, and the typed values are kept for the next request. */
export const sessionEnded = () => ({ kind: 'session_ended' }) as const;

/** A page that says why there is nothing to show. */
export const problem = (name: ProblemName) => ({ kind: 'problem', name }) as const;

export type Problem = ReturnType<typeof problem>;

/** The answers that a page can give. */
export type Outcome = View | Problem | ReturnType<typeof redirect> | ReturnType<typeof sessionEnded>;

/** The page for a refused use case. Resources of other accounts count as missing. */
export function denied({ code }: AccessDenied | { readonly code: 'token_not_found' }): Problem {
  return problem(code === 'not_found' || code === 'token_not_found' ? 'not_found' : 'not_allowed');
}
