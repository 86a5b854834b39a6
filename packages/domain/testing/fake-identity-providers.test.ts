import type { AccountId } from '../src/accounts/index.ts';
import type { AuthorizationRequest, Query } from '../src/identity-providers/index.ts';
import { identityProvidersContract, type PersonAtProvider, type ProviderScene } from './contracts/index.ts';
import { aPerson, aProvider, createFakeIdentityProviders } from './fake-identity-providers.ts';
import { START } from './fixtures.ts';

identityProvidersContract('fake', async (): Promise<ProviderScene> => {
  const provider = aProvider({
    accounts: [1 as AccountId],
    roles: { claim: 'groups', rules: [{ value: 'gatehouse-admins', role: 'admin' }] },
  });
  const fake = createFakeIdentityProviders(provider);
  const { id, issuer } = provider;
  const stateOf = (address: string) => new URL(address).searchParams.get('state') ?? '';

  async function signIn(address: string, { groups, ...person }: PersonAtProvider): Promise<Query> {
    const state: AuthorizationRequest['state'] = stateOf(address);
    fake.persons.set(`code of ${state}`, aPerson({ ...person, issuer, roleValues: groups }));
    return Object.entries({ code: `code of ${state}`, state, iss: issuer });
  }

  return {
    providers: fake,
    id,
    redirectUri: 'https://gatehouse.example/sign-in/return/entra',
    signIn,
    refuse: async (address) =>
      Object.entries({ error: 'access_denied', state: stateOf(address), iss: issuer }),
    async logOutToken(subject) {
      fake.logOuts.set(`log-out of ${subject}`, { issuer, subject, providerSession: null, issuedAt: START });
      return `log-out of ${subject}`;
    },
    async takeAway() {
      fake.failing = 'provider_unreachable';
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
});
