import type { Mutation } from '../mutation.ts';
import { ADDRESSES } from './addresses.ts';
import { BEARER } from './bearer.ts';
import { EXTENSION_MUTATIONS } from './extensions.ts';
import { GRANTS } from './grants.ts';
import { INFRASTRUCTURE } from './infrastructure.ts';
import { LOGS } from './logs.ts';
import { PAGE_MUTATIONS } from './pages.ts';
import { SERVICE_MUTATIONS } from './services.ts';
import { SESSION_MUTATIONS } from './sessions.ts';
import { SHARES } from './shares.ts';
import { SIGN_IN_MUTATIONS } from './sign-in.ts';
import { SURFACE } from './surface.ts';
import { TOKEN_PAGE_MUTATIONS } from './token-pages.ts';
import { TOKENS } from './tokens.ts';
import { VERIFIER_MUTATIONS } from './verifiers.ts';

/** Every mutation; each requirement of docs/develop/security has at least one. */
export const MUTATIONS: readonly Mutation[] = [
  ...BEARER,
  ...TOKENS,
  ...ADDRESSES,
  ...GRANTS,
  ...SIGN_IN_MUTATIONS,
  ...SESSION_MUTATIONS,
  ...PAGE_MUTATIONS,
  ...TOKEN_PAGE_MUTATIONS,
  ...SURFACE,
  ...LOGS,
  ...INFRASTRUCTURE,
  ...SHARES,
  ...EXTENSION_MUTATIONS,
  ...SERVICE_MUTATIONS,
  ...VERIFIER_MUTATIONS,
];
