import type { LinkTarget } from '@gatehouse/domain/mail';
import type { TokenId } from '@gatehouse/domain/tokens';
import { API_TOKENS, INVITATION, PASSWORD_RESET, SIGN_IN_METHODS, TOKEN_RULES, tokenPath } from './paths.ts';

const PATHS = {
  'sign-in-methods': SIGN_IN_METHODS,
  rules: TOKEN_RULES,
  webhooks: '/settings/webhooks',
  tokens: API_TOKENS,
} as const;

/** Returns the path of the page to which a message leads, with the code of a link behind `#`. */
export function pathTo(target: LinkTarget): string {
  switch (target.page) {
    case 'token':
      return tokenPath(target.id as TokenId);
    case 'invitation':
      return `${INVITATION}#${target.code}`;
    case 'password-reset':
      return `${PASSWORD_RESET}#${target.code}`;
    default:
      return PATHS[target.page];
  }
}
