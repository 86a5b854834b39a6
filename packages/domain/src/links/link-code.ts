import type { Brand } from '../identifiers.ts';

/** The prefixes of codes, by what a code does. Scanners for leaked secrets can search for them. */
export const LINK_PREFIXES = { invitation: 'ghi_', reset: 'ghl_' } as const;

/** `invitation`: the code creates a user. `reset`: the code sets a new password of a user. */
export type LinkKind = keyof typeof LINK_PREFIXES;

/**
 * The secret of an invitation or of a password-reset link: its prefix and 256 random bits as base64url. A link carries
 * the code behind `#`, a part of an address that browsers do not send.
 */
export type LinkCode = Brand<string, 'LinkCode'>;

/** The SHA-256 of a code in lower-case hexadecimal. A fast hash is enough, because 256 random bits cannot be guessed. */
export type LinkCodeHash = Brand<string, 'LinkCodeHash'>;

/** Finds the code of this kind in a text that a person pastes: the code alone, the link, or the message with the link. */
export function parseLinkCode(kind: LinkKind, text: string): LinkCode | undefined {
  const pattern = new RegExp(`${LINK_PREFIXES[kind]}[\\w-]{43}(?![\\w-])`);
  return pattern.exec(text)?.[0] as LinkCode | undefined;
}

/** Creates the ids and codes of links, and hashes codes. Implementations pass `linkCodesContract`. */
export interface LinkCodes {
  /** Creates a UUID of version 7 and a new code. Neither can be computed from the other. */
  create(kind: LinkKind): { readonly id: string; readonly code: LinkCode };
  hashOf(code: LinkCode): LinkCodeHash;
}

/**
 * The error for every code that does nothing: an unknown, used, expired or revoked one, one whose maker is no longer an
 * active admin, and one whose user or account cannot be used. The answer does not say which.
 */
export type LinkNotAccepted = { readonly code: 'link_not_accepted' };
