import type { AccountId } from '../src/accounts/index.ts';
import type {
  AuthorizationRequest,
  IdentityProviders,
  ProvenPerson,
  Provider,
  ProviderFailureReason,
  ProviderId,
  ProviderLogOut,
} from '../src/identity-providers/index.ts';
import { err, ok } from '../src/index.ts';
import { START } from './fixtures.ts';

/** A provider with this issuer that serves the accounts of `parts`, and by default links only by hand. */
export function aProvider(parts: Partial<Provider> & { readonly accounts: readonly AccountId[] }): Provider {
  return {
    id: 'entra' as ProviderId,
    label: 'Entra ID',
    issuer: 'https://entra.example',
    linkByEmailOf: [],
    createUsersIn: null,
    roles: null,
    ...parts,
  };
}

/** A person at the provider of `aProvider`, whose address the provider verified. */
export function aPerson(parts: Partial<ProvenPerson> = {}): ProvenPerson {
  return {
    issuer: 'https://entra.example',
    subject: 'ada',
    email: 'ada@acme.example',
    isEmailVerified: true,
    name: 'Ada at Entra',
    roleValues: null,
    authenticatedAt: START,
    providerSession: null,
    ...parts,
  };
}

/** Identity providers that a test scripts: which persons sign in there, and how the exchanges fail. */
export interface FakeIdentityProviders extends IdentityProviders {
  readonly all: Provider[];
  /** The persons, by the `code` with which the provider sends the browser back. A code is redeemed once. */
  readonly persons: Map<string, ProvenPerson>;
  /** The log-outs, by their tokens. */
  readonly logOuts: Map<string, ProviderLogOut>;
  /** If set, each exchange fails for this reason. */
  failing: ProviderFailureReason | undefined;
  /** The requests with which `begin` was called. */
  readonly begun: AuthorizationRequest[];
}

/**
 * Creates fake identity providers, which pass the contract of the port. The address of `begin` has the parameter `state`,
 * and `redeem` refuses an answer whose state, issuer, nonce, code verifier or redirect URI is not that of the sign-in.
 */
export function createFakeIdentityProviders(...all: Provider[]): FakeIdentityProviders {
  const failed = (reason: ProviderFailureReason) =>
    err({ code: 'provider_sign_in_refused', reason, detail: `the test asks for ${reason}` } as const);
  const fake: FakeIdentityProviders = {
    all,
    persons: new Map(),
    logOuts: new Map(),
    failing: undefined,
    begun: [],
    async begin(id, request) {
      find(id);
      if (fake.failing) return failed(fake.failing);
      fake.begun.push(request);
      return ok(`https://${id}.example/authorize?state=${request.state}`);
    },
    async redeem(id, query, { state, nonce, codeVerifier, redirectUri }) {
      find(id);
      if (fake.failing) return failed(fake.failing);
      const values = new Map(query);
      if (values.get('state') !== state) return failed('answer_malformed');
      if (values.has('error')) return failed('provider_denied');
      const code = values.get('code');
      if (code === undefined) return failed('answer_malformed');
      const begun = fake.begun.find((each) => each.state === state);
      const isSame = begun?.codeVerifier === codeVerifier && begun.redirectUri === redirectUri;
      const person = fake.persons.get(code);
      if (person && (values.get('iss') ?? person.issuer) !== person.issuer) return failed('issuer_mismatch');
      if (!isSame || !person) return failed('code_not_accepted');
      fake.persons.delete(code);
      return begun.nonce === nonce ? ok(person) : failed('nonce_mismatch');
    },
    async readLogOut(id, token) {
      find(id);
      const logOut = fake.logOuts.get(token);
      return logOut ? ok(logOut) : failed('signature_invalid');
    },
    async test(id) {
      const { issuer } = find(id);
      return fake.failing
        ? [{ step: 'discovery', verdict: 'problem', text: `the test asks for ${fake.failing}` }]
        : [{ step: 'discovery', verdict: 'ok', text: `the provider is ${issuer}` }];
    },
  };

  function find(id: ProviderId): Provider {
    const found = fake.all.find((provider) => provider.id === id);
    if (!found) throw new Error(`the settings have no identity provider ${id}`);
    return found;
  }

  return fake;
}
