import { getJwks, getPaserkKeys } from './key-sets.ts';
import { getMe } from './me.ts';
import { getOpenApiDocument } from './openapi.ts';
import { getOrg } from './organizations.ts';
import { signIn } from './sign-in.ts';

/** Every route of version 1: what is here is served, documented and tested. */
export const ROUTES = { getOrg, signIn, getMe, getOpenApiDocument, getJwks, getPaserkKeys };

export type Routes = typeof ROUTES;
