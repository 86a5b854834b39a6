import type {
  ProvenPerson,
  Provider,
  ProviderId,
  ProviderSignInError,
} from '@gatehouse/domain/identity-providers';
import { aPerson, aProvider } from '@gatehouse/domain/testing';
import type { ReplacedParts } from './pages-in-memory.ts';
import { servePages } from './serve-pages.ts';
import type { Page, Visitor } from './visitor.ts';

/** Serves the pages with the provider "Entra ID" for the account of the people, which links by acme.example. */
export async function serveProvider(
  parts: Partial<Provider> = {},
  replaced: Pick<ReplacedParts, 'passwordSignIn'> = {},
) {
  const noted: (readonly [ProviderId, ProviderSignInError | undefined])[] = [];
  const scene = await servePages({
    ...replaced,
    noteProviderSignIn: (_, provider, error) => noted.push([provider, error]),
    given: ({ world, people }) => {
      const provider = aProvider({
        accounts: [people.account.id],
        linkByEmailOf: ['acme.example'],
        ...parts,
      });
      world.identityProviders.all.push(provider);
      return {};
    },
  });

  /** Lets a person sign in at the provider, and brings the browser back as far as pages lead it. */
  async function comeBack(
    visitor: Visitor,
    location: string,
    person: Partial<ProvenPerson> = {},
  ): Promise<Page> {
    const state = new URL(location).searchParams.get('state') ?? '';
    scene.world.identityProviders.persons.set(`code of ${state}`, aPerson(person));
    const query = new URLSearchParams({ code: `code of ${state}`, state });
    return onward(visitor, await visitor.get(`/sign-in/return/entra?${query}`, FROM_PROVIDER));
  }

  return {
    ...scene,
    noted,
    comeBack,
    /** Where the sign-in page leads for the provider. */
    async begin(visitor: Visitor, next?: string): Promise<string> {
      const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
      const begun = await visitor.ask(`/sign-in/with/entra${query}`);
      return begun.headers.get('location') ?? begun.text;
    },
    /** The whole way of a browser. */
    async signInWith(visitor: Visitor, person: Partial<ProvenPerson> = {}, next?: string): Promise<Page> {
      return comeBack(visitor, await this.begin(visitor, next), person);
    },
    /** Where a page that continues elsewhere leads. */
    leadsTo,
    [Symbol.asyncDispose]: scene[Symbol.asyncDispose],
  };
}

/** The header that a browser sends with a request that another site caused. */
const FROM_PROVIDER = { 'sec-fetch-site': 'cross-site' };

const leadsTo = (page: Page): string => /^0; url=(.*)$/.exec(page.headers.get('refresh') ?? '')?.[1] ?? '';

async function onward(visitor: Visitor, page: Page): Promise<Page> {
  const address = leadsTo(page);
  return address === '' ? page : visitor.get(address);
}
