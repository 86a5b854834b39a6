import { PASSWORD } from '@gatehouse/domain/testing';
import { type Call, postSignIn } from './client.ts';
import { populate } from './population.ts';
import { type ServeOptions, serveWorld } from './serve-world.ts';

/** Credentials that are accepted. */
export const GOOD = { email: 'ada@acme.example', password: PASSWORD };

/** Starts a server in memory with users, and posts any body to its sign-in route. */
export async function serveSignIn(options: ServeOptions = {}) {
  const served = await serveWorld(options);
  const people = await populate(served.world);
  const post = (body: NonNullable<Call['body']>, type?: string, headers?: Record<string, string>) =>
    postSignIn(served.url, body, type, headers);
  return { ...served, people, post };
}
