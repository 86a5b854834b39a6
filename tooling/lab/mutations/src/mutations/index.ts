import type { Mutation } from '../mutation.ts';
import { ACCOUNT_MUTATIONS } from './accounts.ts';
import { ACTIVITY_MUTATIONS } from './activity.ts';
import { ADDRESSES } from './addresses.ts';
import { BEARER } from './bearer.ts';
import { EXTENSION_MUTATIONS } from './extensions.ts';
import { GRANTS } from './grants.ts';
import { INFRASTRUCTURE } from './infrastructure.ts';
import { LINK_MUTATIONS } from './links.ts';
import { LOGS } from './logs.ts';
import { MAIL_MUTATIONS } from './mail.ts';
import { OPENID_MUTATIONS } from './openid.ts';
import { ORGANIZATION_MUTATIONS } from './organizations.ts';
import { PAGE_MUTATIONS } from './pages.ts';
import { PROVIDER_USER_MUTATIONS } from './providers-and-users.ts';
import { REACTION_MUTATIONS } from './reactions.ts';
import { REFERENCE_MUTATIONS } from './reference.ts';
import { RELEASE_MUTATIONS } from './releases.ts';
import { SECOND_FACTOR_MUTATIONS } from './second-factors.ts';
import { SERVICE_ACCOUNT_MUTATIONS } from './service-accounts.ts';
import { SERVICE_MUTATIONS } from './services.ts';
import { SESSION_MUTATIONS } from './sessions.ts';
import { SHARES } from './shares.ts';
import { SIGN_IN_MUTATIONS } from './sign-in.ts';
import { PROVIDER_MUTATIONS } from './sign-in-providers.ts';
import { SURFACE } from './surface.ts';
import { TIME_EVENT_MUTATIONS } from './time-events.ts';
import { TOKEN_NETWORK_MUTATIONS } from './token-networks.ts';
import { TOKEN_PAGE_MUTATIONS } from './token-pages.ts';
import { TOKEN_RULES_MUTATIONS } from './token-rules.ts';
import { TOKEN_SEARCH_MUTATIONS } from './token-search.ts';
import { TOKENS } from './tokens.ts';
import { USER_MUTATIONS } from './users.ts';
import { VERIFIER_MUTATIONS } from './verifiers.ts';
import { WEBHOOK_MUTATIONS } from './webhooks.ts';

/** Every mutation; each requirement of docs/develop/security has at least one. */
export const MUTATIONS: readonly Mutation[] = [
  ...BEARER,
  ...TOKENS,
  ...ADDRESSES,
  ...GRANTS,
  ...ORGANIZATION_MUTATIONS,
  ...SIGN_IN_MUTATIONS,
  ...SESSION_MUTATIONS,
  ...PAGE_MUTATIONS,
  ...TOKEN_NETWORK_MUTATIONS,
  ...TOKEN_PAGE_MUTATIONS,
  ...TOKEN_SEARCH_MUTATIONS,
  ...ACTIVITY_MUTATIONS,
  ...SURFACE,
  ...LOGS,
  ...INFRASTRUCTURE,
  ...SHARES,
  ...EXTENSION_MUTATIONS,
  ...RELEASE_MUTATIONS,
  ...REFERENCE_MUTATIONS,
  ...SERVICE_MUTATIONS,
  ...VERIFIER_MUTATIONS,
  ...USER_MUTATIONS,
  ...LINK_MUTATIONS,
  ...ACCOUNT_MUTATIONS,
  ...TOKEN_RULES_MUTATIONS,
  ...SERVICE_ACCOUNT_MUTATIONS,
  ...OPENID_MUTATIONS,
  ...PROVIDER_MUTATIONS,
  ...PROVIDER_USER_MUTATIONS,
  ...SECOND_FACTOR_MUTATIONS,
  ...WEBHOOK_MUTATIONS,
  ...REACTION_MUTATIONS,
  ...TIME_EVENT_MUTATIONS,
  ...MAIL_MUTATIONS,
];
