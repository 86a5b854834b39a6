import { PASSWORD } from '@gatehouse/domain/testing';
import { type Call, call } from './client.ts';
import { populate } from './population.ts';
import { type ServeOptions, serveWorld } from './serve-world.ts';

export const SIGN_IN_PATH = '/api/v1/auth.json';
export const FORM = 'application/x-www-form-urlencoded';
/** Credentials that are accepted. */
export const GOOD = { email: 'ada@acme.example', password: PASSWORD };

/** A server in memory with people who can sign in, and a way to post anything to where they do. */
export async function serveSignIn(options: ServeOptions = {}) {
  const served = await serveWorld(options);
  const people = await populate(served.world);
  const post = (body: NonNullable<Call['body']>, type?: string, headers: Record<string, string> = {}) =>
    call(served.url, SIGN_IN_PATH, {
      method: 'POST',
      body,
      headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    });
  return { ...served, people, post };
}

/** The status, and which problem the body says that there is. */
export const problemOf = ({ status, json }: { readonly status: number; readonly json: unknown }) => [
  status,
  (json as { type: string }).type.replace('urn:gatehouse:problem:', ''),
];
