import { call, postSignIn } from './client.ts';
import { serveRegistered } from './example-facts.ts';
import { issue } from './issue.ts';

type HeaderFields = Readonly<Record<string, string>>;

export type ServedSurface = Awaited<ReturnType<typeof serveSurface>>;

/** Starts a server for hostile requests, with and without a token. */
export async function serveSurface() {
  const server = await serveRegistered({ SIGN_IN_ADDRESS_ATTEMPTS: '1000' });
  const token = (await issue(server)).secret;
  const { organizations, other_account: other } = server.demo;
  return {
    ...server,
    /** The admin's token. */
    token,
    /** The ids of organizations of the admin's account and of another. */
    ids: [...organizations.map(({ id }) => id), other.organization_id],
    /** Sends a request with the token. */
    get: (path: string, headers: HeaderFields = {}) => call(server.url, path, { token, headers }),
    /** Signs in with any body. */
    post: (body: string | Uint8Array, type = 'application/json', more: HeaderFields = {}) =>
      postSignIn(server.url, body as NonNullable<RequestInit['body']>, type, more),
  };
}
