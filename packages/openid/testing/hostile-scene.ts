import type { AuthorizationRequest, ProviderId } from '@gatehouse/domain/identity-providers';
import { createFixedClock, START } from '@gatehouse/domain/testing';
import { expect, onTestFinished } from 'vitest';
import { createOpenIdProviders, type ExchangeLimits, type OpenIdProvider } from '../src/index.ts';
import { type Behaviour, openHostileProvider } from './hostile-provider.ts';
import { createStopwatch, providerAt, REDIRECT_URI } from './real-scene.ts';

const ID = 'acme' as ProviderId;

export const REQUEST: AuthorizationRequest = {
  state: 'state'.padEnd(43, 'x'),
  nonce: 'nonce'.padEnd(43, 'x'),
  codeVerifier: 'verifier'.padEnd(43, 'x'),
  redirectUri: REDIRECT_URI,
  mustAuthenticate: false,
  begunAt: START,
};

interface SceneOptions {
  readonly limits?: Partial<ExchangeLimits>;
  readonly provider?: Partial<OpenIdProvider>;
}

/** The adapter, and a provider that does what the test tells it to. */
export async function openHostileScene({ limits = {}, provider: parts = {} }: SceneOptions = {}) {
  const clock = createFixedClock(START);
  const monotonicClock = createStopwatch();
  const hostile = await openHostileProvider(clock.now);
  onTestFinished(hostile.close);
  const providers = createOpenIdProviders([providerAt(hostile.issuer, parts)], {
    clock,
    monotonicClock,
    // Long enough for this machine, and shorter than the time limit of a test.
    limits: { beginMs: 2000, redeemMs: 2000, ...limits },
  });

  const begin = (request = REQUEST) => providers.begin(ID, request);

  /** Signs a person in: from the request to the verified answer. */
  async function signIn(
    request = REQUEST,
    change: (query: Map<string, string>) => unknown = () => undefined,
  ) {
    const begun = await begin(request);
    if (!begun.ok) return begun;
    const query = hostile.comeBack(begun.value);
    change(query);
    return providers.redeem(ID, query, request);
  }

  return {
    hostile,
    providers,
    clock,
    monotonicClock,
    begin,
    signIn,
    readLogOut: (token: string) => providers.readLogOut(ID, token),
    test: () => providers.test(ID, REDIRECT_URI),
    async signInWith(behaviour: Behaviour) {
      hostile.behave(behaviour);
      return signIn();
    },
  };
}

/** Nothing that a provider sends or is sent appears in the log. */
export function expectNoSecret(text: string): void {
  for (const secret of [
    'a-secret-code',
    'an-access-token',
    'a-secret-of-forty',
    'eyJ',
    'verifierx',
    'noncex',
  ])
    expect(text).not.toContain(secret);
}
