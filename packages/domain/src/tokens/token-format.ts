export const TOKEN_FORMATS = ['paseto', 'jwt'] as const;

/** How a token is written and signed. A deployment issues one and always accepts both. */
export type TokenFormat = (typeof TOKEN_FORMATS)[number];
