import { inPerson, unwrap } from '@gatehouse/domain/testing';
import { type Expiry, issueToken } from '@gatehouse/domain/tokens';
import { type PageScene, servePages } from './serve-pages.ts';

/** Serves the pages with a token of the admin. */
export const serveToken = (name = 'ERP', expiry: Expiry = { in: 86_400_000 }) =>
  servePages({ given: (scene) => givenToken(scene, name, expiry) });

async function givenToken({ world, people }: PageScene, name: string, expiry: Expiry) {
  const issue = { name, format: 'paseto', scopes: ['orgs:read'], expiry } as const;
  const { record: token } = unwrap(await issueToken(world)(inPerson(people.admin), issue));
  return {
    token,
    /** The path of the token's page. */
    path: `/settings/api/${token.id}`,
    async find() {
      const found = await world.tokens.find(token.id);
      if (!found) throw new Error('the token is not there');
      return found;
    },
    /** Records a use of the token at the present time. */
    async used(from?: string, id = token.id) {
      world.usage.used(id, world.clock.now(), from);
      await world.usage.flush();
    },
  };
}
