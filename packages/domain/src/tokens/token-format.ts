export const TOKEN_FORMATS = ['paseto', 'jwt'] as const;

/** The token format. A deployment issues one and always accepts both. */
export type TokenFormat = (typeof TOKEN_FORMATS)[number];
