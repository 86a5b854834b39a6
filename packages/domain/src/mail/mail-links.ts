import type { LinkCode } from '../links/link-code.ts';

/** The page to which a message leads. Each message has one link. */
export type LinkTarget =
  | { readonly page: 'token'; readonly id: string }
  | { readonly page: 'invitation' | 'password-reset'; readonly code: LinkCode }
  | { readonly page: 'sign-in-methods' | 'rules' | 'webhooks' | 'tokens' };

/** Returns the address of a page of this installation, such as `https://gatehouse.example/settings/sign-in`. */
export type LinkTo = (target: LinkTarget) => string;
