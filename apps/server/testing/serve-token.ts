import { inPerson } from '@gatehouse/domain/testing';
import { type Expiry, issueToken } from '@gatehouse/domain/tokens';
import { done } from './done.ts';
import { serveVisitors } from './serve-visitors.ts';

/** Starts a server in memory with a token of the admin, for visitors of the pages of one token. */
export async function serveToken(name = 'ERP', expiry: Expiry = { in: 86_400_000 }) {
  const scene = await serveVisitors();
  const { world, people } = scene;
  const issue = { name, format: 'paseto', scopes: ['orgs:read'], expiry } as const;
  const { record: token } = done(await issueToken(world)(inPerson(people.admin), issue));
  return {
    ...scene,
    token,
    /** The path of the token's page. */
    path: `/settings/api/${token.id}`,
    async find() {
      const found = await world.tokens.find(token.id);
      if (!found) throw new Error('the token is not there');
      return found;
    },
    /** A use of the token now. */
    async used(from?: string, id = token.id) {
      world.usage.used(id, world.clock.now(), from);
      await world.usage.flush();
    },
  };
}
