import type { AccountId } from '../src/accounts/index.ts';
import {
  type BegunPurpose,
  beginProviderSignIn,
  type CompleteProviderSignInInput,
  completeProviderSignIn,
  endProviderSessions,
  listOwnIdentities,
  type ProvenPerson,
  type Provider,
  type ProviderId,
  unlinkIdentities,
  unlinkOwnIdentity,
} from '../src/identity-providers/index.ts';
import type { Session } from '../src/sessions/index.ts';
import { findSession, openSession } from '../src/sessions/index.ts';
import type { User } from '../src/users/index.ts';
import { aPerson, aProvider } from './fake-identity-providers.ts';
import { unwrap } from './fixtures.ts';
import { createWorldWithAdmins, givenPerson, inPerson, PASSWORD } from './world.ts';

export const ENTRA = 'entra' as ProviderId;
const REDIRECT_URI = 'https://gatehouse.example/sign-in/return/entra';

/** The IP address of browsers. */
const ADDRESS = '192.0.2.7';

export interface Browsing {
  readonly provider?: ProviderId;
  readonly purpose?: BegunPurpose;
  readonly browser?: string | undefined;
  readonly address?: string;
  readonly next?: string | null;
}

export type ProviderScene = Awaited<ReturnType<typeof createProviderScene>>;

/**
 * A world with Ada and Grace, admins of Acme, Mia, a member, and Eve, an admin of another account. Acme has a provider,
 * which links by the addresses of acme.example, unless `parts` says otherwise.
 */
export async function createProviderScene(parts: Partial<Provider> = {}) {
  const { world, ada, eve } = await createWorldWithAdmins();
  const { accountId } = ada;
  const ofAcme = (email: string, role: User['role']) => givenPerson(world, { accountId, email, role });
  const grace = await ofAcme('grace@acme.example', 'admin');
  const mia = await ofAcme('mia@acme.example', 'member');
  const { identityProviders } = world;
  identityProviders.all.push(
    aProvider({ accounts: [accountId], linkByEmailOf: ['acme.example'], ...parts }),
    aProvider({ id: 'other' as ProviderId, issuer: 'https://other.example', accounts: [accountId] }),
  );

  /** Changes the provider, as another file of settings does. */
  function configure(changes: Partial<Provider>): void {
    const [entra] = identityProviders.all;
    if (entra) identityProviders.all[0] = { ...entra, ...changes };
  }

  async function begin({ provider = ENTRA, purpose = { kind: 'sign-in' }, ...rest }: Browsing = {}) {
    const { browser, address = ADDRESS, next = null } = rest;
    const input = { provider, purpose, browser, next, redirectUri: REDIRECT_URI, address };
    return beginProviderSignIn(world)(input);
  }

  /** Lets a person sign in at the provider, and returns the query with which it sends the browser back. */
  function answered(location: string, person: ProvenPerson) {
    const state = new URL(location).searchParams.get('state') ?? '';
    const code = `code of ${state}`;
    identityProviders.persons.set(code, person);
    return Object.entries({ code, state, iss: person.issuer });
  }

  function complete(
    parts: Pick<CompleteProviderSignInInput, 'query'> & Partial<CompleteProviderSignInInput>,
  ) {
    return completeProviderSignIn(world)({
      provider: ENTRA,
      browser: undefined,
      session: undefined,
      redirectUri: REDIRECT_URI,
      address: ADDRESS,
      userAgent: 'Firefox',
      ...parts,
    });
  }

  /** The whole way of a browser: begins, signs in at the provider and comes back. */
  async function signIn(
    person: Partial<ProvenPerson> = {},
    { session, ...browsing }: Browsing & Pick<Partial<CompleteProviderSignInInput>, 'session'> = {},
  ) {
    const begun = await begin(browsing);
    if (!begun.ok) return begun;
    const { location, browser } = begun.value;
    return complete({ query: answered(location, aPerson(person)), browser, session });
  }

  /** Signs the user in with the password. */
  async function withPassword(user: User): Promise<{ readonly session: Session; readonly secret: string }> {
    const credentials = { email: user.email, password: PASSWORD, address: ADDRESS, userAgent: null };
    return unwrap(await openSession(world)(credentials));
  }

  return {
    world,
    ada,
    grace,
    mia,
    eve,
    accountId: accountId as AccountId,
    configure,
    begin,
    answered,
    complete,
    signIn,
    withPassword,
    /** Links the person to the user from the profile page. */
    async link(user: User, person: Partial<ProvenPerson> = {}) {
      const { session, secret } = await withPassword(user);
      const own = { id: session.id, secret };
      return signIn(person, { purpose: { kind: 'link', session }, session: own });
    },
    isSignedIn: async (secret: string) => (await findSession(world)(secret, ADDRESS)).ok,
    logOut: (logOutToken: string, provider = ENTRA) =>
      endProviderSessions(world)({ provider, logOutToken, address: '198.51.100.1' }),
    own: (user: User) => listOwnIdentities(world)(inPerson(user)),
    unlinkOwn: (user: User, issuer = 'https://entra.example') =>
      unlinkOwnIdentity(world)(inPerson(user), { issuer }),
    unlink: unlinkIdentities(world),
    /** Returns the newest events, the oldest first. */
    events: async (limit: number) =>
      (await world.audit.list({ limit })).map(({ event }) => event).toReversed(),
  };
}
