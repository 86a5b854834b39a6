import { introspectToken } from './introspection.ts';
import { getJwks, getPaserkKeys } from './key-sets.ts';
import { getMe } from './me.ts';
import { getOpenApiDocument } from './openapi.ts';
import { getOrg, listOrgs } from './organizations.ts';
import { signIn } from './sign-in.ts';
import { readTokenChanges } from './token-changes.ts';
import { refreshTokens } from './token-refreshes.ts';
import { reportTokenUses } from './token-uses.ts';
import { verifyScope } from './verification.ts';

/** The routes of version 1, which are served, documented and tested. */
export const ROUTES = {
  getOrg,
  listOrgs,
  signIn,
  getMe,
  introspectToken,
  reportTokenUses,
  verifyScope,
  readTokenChanges,
  refreshTokens,
  getOpenApiDocument,
  getJwks,
  getPaserkKeys,
};

export type Routes = typeof ROUTES;
