import type { TokenId } from '@gatehouse/domain/tokens';

export const HOME = '/';
/** The page with the API reference. */
export const REFERENCE = '/docs';
export const SIGN_IN = '/sign-in';
export const SIGN_OUT = '/sign-out';
export const SETTINGS = '/settings';
/** The page that opens after a sign-in, unless the visitor had opened another page before. */
export const API_TOKENS = '/settings/api';
export const NEW_TOKEN = '/settings/api/new';
export const ACTIVITY = '/settings/api/activity';
export const PASSWORD = '/settings/password';
export const SESSIONS = '/settings/sessions';

/** Adds parameters to a path, except those that are undefined. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return written.length === 0 ? path : `${path}?${new URLSearchParams(written)}`;
}

/** The path of the sign-in page. After the sign-in, the browser is redirected to `next`. */
export const signInPath = (next: string): string => withQuery(SIGN_IN, { next });

export const tokenPath = (id: TokenId): string => `${API_TOKENS}/${id}`;
/** The path of a token's page, relative to the path of a list. Short links make a list of fifty rows smaller. */
export const tokenPathFrom = (place: string, id: TokenId): string =>
  tokenPath(id).slice(place.lastIndexOf('/') + 1);
export const firstUsePath = (id: TokenId): string => `${tokenPath(id)}/first-use`;
export const revokePath = (id: TokenId): string => `${tokenPath(id)}/revoke`;
export const rotatePath = (id: TokenId): string => `${tokenPath(id)}/rotate`;
