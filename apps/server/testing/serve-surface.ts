import { call, postSignIn, type Reply } from './client.ts';
import { issue } from './issue.ts';
import { type ServedPostgres, servePostgres } from './serve-postgres.ts';

type HeaderFields = Readonly<Record<string, string>>;

export interface ServedSurface extends ServedPostgres {
  /** The admin's token. */
  readonly token: string;
  /** The ids of organizations of the admin's account and of another. */
  readonly ids: readonly number[];
  /** Sends a request with the token. */
  get(path: string, headers?: HeaderFields): Promise<Reply>;
  /** Signs in with any body. */
  post(body: string | Uint8Array, type?: string, more?: HeaderFields): Promise<Reply>;
}

/** Starts a server for hostile requests, with and without a token. */
export async function serveSurface(): Promise<ServedSurface> {
  const server = await servePostgres({ SIGN_IN_ADDRESS_ATTEMPTS: '1000' });
  const token = (await issue(server)).secret;
  const { organizations, other_account: other } = server.demo;
  return {
    ...server,
    token,
    ids: [...organizations.map(({ id }) => id), other.organization_id],
    get: (path, headers = {}) => call(server.url, path, { token, headers }),
    post: (body, type = 'application/json', more = {}) =>
      postSignIn(server.url, body as NonNullable<RequestInit['body']>, type, more),
  };
}
