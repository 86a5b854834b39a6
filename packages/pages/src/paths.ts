import type { TokenId } from '@gatehouse/domain/tokens';

/** The paths that several pages use. */
export const HOME = '/';
/** The reference of the API. */
export const REFERENCE = '/docs';
export const SIGN_IN = '/sign-in';
export const SIGN_OUT = '/sign-out';
export const SETTINGS = '/settings';
/** The page after signing in, unless the visitor asked for another. */
export const API_TOKENS = '/settings/api';
export const NEW_TOKEN = '/settings/api/new';
export const ACTIVITY = '/settings/api/activity';
export const PASSWORD = '/settings/password';
export const SESSIONS = '/settings/sessions';

/** A path with those parameters that are not undefined. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return written.length === 0 ? path : `${path}?${new URLSearchParams(written)}`;
}

/** The sign-in page that leads there afterwards. */
export const signInPath = (next: string): string => withQuery(SIGN_IN, { next });

export const tokenPath = (id: TokenId): string => `${API_TOKENS}/${id}`;
/** The same, relative to a place of the settings such as API_TOKENS. In lists of fifty rows, short links make smaller pages. */
export const tokenPathFrom = (place: string, id: TokenId): string =>
  tokenPath(id).slice(place.lastIndexOf('/') + 1);
export const firstUsePath = (id: TokenId): string => `${tokenPath(id)}/first-use`;
export const revokePath = (id: TokenId): string => `${tokenPath(id)}/revoke`;
export const rotatePath = (id: TokenId): string => `${tokenPath(id)}/rotate`;
