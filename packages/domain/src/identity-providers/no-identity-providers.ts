import { err } from '../result.ts';
import type { IdentityProviders } from './identity-providers.ts';

/** Fails as if the settings lacked the provider. A use case finds no provider first, so no one sees this failure. */
const missing = async () =>
  err({
    code: 'provider_sign_in_refused',
    reason: 'provider_misconfigured',
    detail: 'the settings have no identity provider',
  } as const);

/** The identity providers of an installation whose settings have none. */
export const NO_IDENTITY_PROVIDERS: IdentityProviders = {
  all: [],
  begin: missing,
  redeem: missing,
  readLogOut: missing,
  test: async () => [],
};
