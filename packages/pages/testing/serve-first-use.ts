import { givenPerson, inPerson, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { issueToken } from '@gatehouse/domain/tokens';
import { type PageScene, servePages } from './serve-pages.ts';
import type { Visitor } from './visitor.ts';

/** Pauses that end when the test says so. Each step ends the pauses of all streams. */
function createSteps() {
  const waiting: (() => void)[] = [];
  return {
    pause: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** How many streams are in a pause. */
    waits: () => waiting.length,
    /** Lets this number of steps pass. Each step waits until a stream is in a pause. */
    async pass(count: number) {
      for (let step = 0; step < count; step += 1) {
        for (let turn = 0; waiting.length === 0 && turn < 2000; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        for (const resolve of waiting.splice(0)) resolve();
      }
    },
  };
}

/** Serves the pages with a token of the admin, for tests of the stream of its first use. */
export function serveFirstUse() {
  const steps = createSteps();
  return servePages({
    pause: steps.pause,
    given: async (scene) => ({ ...steps, ...(await watched(scene)) }),
  });
}

async function watched(scene: PageScene) {
  const { world, people } = scene;
  const issue = { name: 'ERP', format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
  const { record: token } = unwrap(await issueToken(world)(inPerson(people.admin), issue));
  const visitor = await scene.signedIn();
  const path = `/settings/api/${token.id}/first-use`;
  const aborting = new AbortController();
  const streams: Response[] = [];
  return {
    token,
    visitor,
    path,
    /** Closes the connections of all streams. */
    abort: () => aborting.abort(),
    /** Signs in another admin of the account. */
    async admin(email: string) {
      await givenPerson(world, { accountId: people.account.id, email });
      return scene.signedIn({ email, password: PASSWORD });
    },
    /** Opens a stream and does not read it to its end. */
    async open(by = visitor) {
      const headers = { cookie: cookieOf(by) };
      const stream = await fetch(`${scene.url}${path}`, { headers, signal: aborting.signal });
      // Node closes the connection of a response that is no longer referenced.
      streams.push(stream);
      return stream;
    },
  };
}

/** Writes the cookies of a visitor as a `Cookie` field. */
export const cookieOf = ({ cookies }: Visitor) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
