import { signInToken } from '@gatehouse/domain/testing';
import type { Extension } from '@gatehouse/extension-kit';
import { call } from './client.ts';
import { startTestServer } from './start-test-server.ts';

interface Asked {
  /** Whose token is sent. Default: the admin's; null: none. */
  readonly as?: 'admin' | 'member' | null;
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Serves one extension beside the routes of Gatehouse, with two accounts in memory: `openTestServer` for its own tests. */
export async function serveOneExtension(extension: Extension) {
  const served = await startTestServer({ extensions: [extension] });
  const { admin, member, shared, closed, foreign } = served.people;
  const tokens = { admin: await served.adminToken(), member: await signInToken(served.world, member) };
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
