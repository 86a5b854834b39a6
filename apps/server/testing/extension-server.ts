import type { Extension } from '@gatehouse/extension-kit';
import { call } from './client.ts';
import { apiToken, populate, signInToken } from './population.ts';
import { serveWorld } from './serve-world.ts';

interface Asked {
  /** Whose token is sent. Default: the admin's; null: none. */
  readonly as?: 'admin' | 'member' | null;
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Serves one extension beside the routes of Gatehouse, with two accounts in memory: `openTestServer` for its own tests. */
export async function serveOneExtension(extension: Extension) {
  const served = await serveWorld({ extensions: [extension] });
  const { admin, member, shared, closed, foreign } = await populate(served.world);
  const { secret } = await apiToken(served.world, admin);
  const tokens = { admin: secret, member: await signInToken(served.world, member) };
  return {
    useCases: served.useCases[0],
    admin,
    member,
    shared,
    closed,
    foreign,
    async ask(path: string, { as = 'admin', method = 'GET', body }: Asked = {}) {
      const { status, headers, json } = await call(served.url, path, {
        method,
        ...(as && { token: tokens[as] }),
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
      return { status, headers, body: json };
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}
