import { givenToken, inPerson, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { revokeToken, type Token } from '@gatehouse/domain/tokens';
import { type PageScene, servePages } from './serve-pages.ts';
import type { Page } from './visitor.ts';

export const PATH = '/settings/api';
export const DAY = 86_400_000;
export const BEN = { email: 'ben@acme.example', password: PASSWORD };

/** Serves the pages for tests of the list of tokens. All tokens belong to the admin Ada. */
export const serveList = () => servePages({ given: tokensOfAda });

function tokensOfAda(scene: PageScene) {
  const { world, people } = scene;
  return {
    /** Stores a token of Ada that expires in this number of days. */
    give: (name: string, expiresIn: number | null = null, parts: Partial<Token> = {}) =>
      givenToken(world, people.admin, {
        name,
        createdAt: world.clock.now(),
        expiresAt: expiresIn === null ? null : addMilliseconds(world.clock.now(), expiresIn * DAY),
        ...parts,
      }),
    revoke: async ({ id }: Token) =>
      unwrap(await revokeToken(world)(inPerson(people.admin), { id, reason: null })),
    async list(query = '') {
      return (await scene.signedIn()).get(`${PATH}${query}`);
    },
  };
}

/** Returns the names of the listed tokens, in the order of the list. */
export const names = ({ html }: Page) =>
  [...html.matchAll(/<th scope="row">(?:<input[^>]*> )?<a href="api\/[0-9a-f-]{36}">(.*?)<\/a>/g)].map(
    ([, name]) => name,
  );

/** Returns the text of a token's row without the exact times. */
export const row = ({ html }: Page, name: string) =>
  [...html.matchAll(/<tr>.*?<\/tr>/gs)]
    .map(([line]) =>
      line.replace(/<span class="visually-hidden">.*?<\/span>|<wbr>/g, '').replace(/<[^>]*>/g, '|'),
    )
    .map((line) => line.replace(/\s*\|[|\s]*/g, '|').replace(/^\||\|$/g, ''))
    .find((line) => line.startsWith(`${name}|`));
