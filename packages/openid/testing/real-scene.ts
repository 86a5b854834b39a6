import type { AccountId } from '@gatehouse/domain/accounts';
import type { ProviderId } from '@gatehouse/domain/identity-providers';
import type { ProviderScene } from '@gatehouse/domain/testing/contracts';
import type { Instant } from '@gatehouse/domain/time';
import type { Configuration } from 'oidc-provider';
import { createOpenIdProviders, type OpenIdProvider } from '../src/index.ts';
import { follow } from './browser.ts';
import { CLIENT, openRealProvider, PERSON_HEADER, REFUSES } from './real-provider.ts';

export const REDIRECT_URI = 'https://gatehouse.example/sign-in/return/acme';

export function providerAt(issuer: string, parts: Partial<OpenIdProvider> = {}): OpenIdProvider {
  return {
    id: 'acme' as ProviderId,
    label: 'Acme',
    issuer,
    clientId: CLIENT.id,
    clientSecret: () => CLIENT.secret,
    scopes: ['openid', 'email', 'profile'],
    accounts: [1 as AccountId],
    linkByEmailOf: ['acme.example'],
    createUsersIn: null,
    roles: { claim: 'groups', rules: [{ value: 'gatehouse-admins', role: 'admin' }] },
    ...parts,
  };
}

/** A monotonic clock that a test moves. */
export function createStopwatch() {
  let elapsed = 0;
  return {
    elapsedMs: () => elapsed,
    advance: (milliseconds: number) => {
      elapsed += milliseconds;
    },
  };
}

/** The adapter, and oidc-provider with people who sign in there. */
export async function openRealScene(configuration?: Configuration, parts?: Partial<OpenIdProvider>) {
  const real = await openRealProvider(REDIRECT_URI, configuration);
  const monotonicClock = createStopwatch();
  // oidc-provider reads the clock of the machine.
  const clock = { now: () => Date.now() as Instant };
  const providers = createOpenIdProviders([providerAt(real.origin, parts)], { clock, monotonicClock });
  const scene: ProviderScene = {
    providers,
    id: 'acme' as ProviderId,
    redirectUri: REDIRECT_URI,
    signIn(address, person) {
      real.people.set(person.subject, person);
      return follow(address, REDIRECT_URI, { [PERSON_HEADER]: person.subject });
    },
    refuse: (address) => follow(address, REDIRECT_URI, { [PERSON_HEADER]: REFUSES }),
    logOutToken: real.logOutToken,
    takeAway: real.close,
    [Symbol.asyncDispose]: real.close,
  };
  return { scene, real, monotonicClock };
}
