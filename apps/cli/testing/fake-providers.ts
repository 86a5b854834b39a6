import type { AccountId } from '@gatehouse/domain/accounts';
import type {
  IdentityProviders,
  Provider,
  ProviderFinding,
  ProviderId,
} from '@gatehouse/domain/identity-providers';

const ENTRA: Provider = {
  id: 'entra' as ProviderId,
  label: 'Entra ID',
  issuer: 'https://login.microsoftonline.com/7/v2.0',
  accounts: [1 as AccountId],
  linkByEmailOf: [],
  createUsersIn: null,
  roles: null,
};

const KEYCLOAK: Provider = {
  id: 'keycloak' as ProviderId,
  label: 'Acme',
  issuer: 'https://login.acme.example/realms/acme',
  accounts: [1 as AccountId, 2 as AccountId],
  linkByEmailOf: ['acme.example'],
  createUsersIn: 1 as AccountId,
  roles: { claim: 'groups', rules: [{ value: 'gatehouse-admins', role: 'admin' }] },
};

const FINDINGS: Readonly<Record<string, readonly ProviderFinding[]>> = {
  entra: [
    { step: 'discovery', verdict: 'ok', text: 'the discovery document is of this issuer' },
    {
      step: 'log-out',
      verdict: 'note',
      text: 'the provider does not say that it supports back-channel log-out',
    },
  ],
  keycloak: [
    { step: 'discovery', verdict: 'ok', text: 'the discovery document is of this issuer' },
    { step: 'credentials', verdict: 'problem', text: 'the provider answered with invalid_client' },
  ],
};

const unused = () => Promise.reject(new Error('no command signs anyone in'));

/** Two providers: one works, and one does not accept the client. */
export const FAKE_PROVIDERS: IdentityProviders = {
  all: [ENTRA, KEYCLOAK],
  begin: unused,
  redeem: unused,
  readLogOut: unused,
  test: async (id) => FINDINGS[id] ?? [],
};
