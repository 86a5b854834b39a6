import type { AppPorts } from '../src/app.ts';
import { populate } from './population.ts';
import { GOOD } from './serve-sign-in.ts';
import { serveWorld, worldPages } from './serve-world.ts';
import { createVisitor } from './visitor.ts';

type PagesParts = NonNullable<AppPorts['pages']>;

interface Replaced extends Partial<Omit<PagesParts, 'useCases'>> {
  readonly useCases?: Partial<PagesParts['useCases']>;
}

/**
 * Starts a server in memory with users, for visitors of its pages.
 *
 * @param pages replaces ports and use cases of pages
 * @param others replaces other ports
 */
export async function serveVisitors({ useCases, ...pages }: Replaced = {}, others: Partial<AppPorts> = {}) {
  const served = await serveWorld({
    replace: (world) => {
      const ofWorld = worldPages(world);
      return { pages: { ...ofWorld, ...pages, useCases: { ...ofWorld.useCases, ...useCases } }, ...others };
    },
  });
  const people = await populate(served.world);
  const visitor = () => createVisitor(served.url);
  return {
    ...served,
    people,
    visitor,
    /** A visitor who has signed in, by default as the admin. */
    async signedIn(credentials = GOOD) {
      const visiting = visitor();
      const page = await visiting.signIn(credentials, '/sign-in?next=%2Fsettings%2Fpassword');
      if (page.path !== '/settings/password') throw new Error(`not signed in: ${page.text}`);
      return visiting;
    },
  };
}
