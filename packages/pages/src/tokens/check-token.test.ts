import { err } from '@gatehouse/domain';
import {
  apiToken,
  GOOD,
  givenAccount,
  givenPerson,
  PASSWORD,
  revoke,
  signInToken,
} from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { servePages } from '../../testing/serve-pages.ts';

const PATH = '/settings/api/check';
const BEN = { email: 'ben@acme.example', password: PASSWORD };

const serve = () =>
  servePages({
    async given({ world, people, signedIn }) {
      const other = await givenPerson(world, {
        accountId: (await givenAccount(world)).id,
        email: 'eve@evil.example',
      });
      return {
        token: await apiToken(world, people.admin),
        foreign: await apiToken(world, other),
        async check(text: string, credentials = GOOD) {
          return (await (await signedIn(credentials)).get(PATH)).submit('Check token', { Token: text });
        },
      };
    },
  });

describe('a token of the account', () => {
  test('is named with its owner, works, and can be revoked', async () => {
    await using scene = await serve();
    const { token, check } = scene;
    const page = await check(token.secret);
    expect([page.status, page.heading]).toEqual([200, 'Check token']);
    expect(page.text).toMatch(
      new RegExp(`${token.record.name} Works Requests with this token are accepted.`),
    );
    expect(page.text).toContain('Owner You');
    expect((await page.follow('View token')).heading).toBe(token.record.name);
    expect((await page.follow('Revoke token')).heading).toBe(`Revoke ${token.record.name}`);
  });

  test('is found with the scheme and the line breaks that were copied with it', async () => {
    await using scene = await serve();
    const { token, check } = scene;
    const broken = ` Bearer ${token.secret.slice(0, 50)}\r\n ${token.secret.slice(50)}\n`;
    expect((await check(broken)).text).toContain('Works');
  });

  test('that was revoked does not work, and is not revoked again', async () => {
    await using scene = await serve();
    const { token, check, world, people } = scene;
    await revoke(world, people.admin, token.record.id);
    const page = await check(token.secret);
    expect(page.text).toContain(
      'Does not work Requests with this token are refused, because the token was revoked.',
    );
    expect(page.links.map(({ text }) => text)).not.toContain('Revoke token');
  });
});

describe('a text with tokens', () => {
  const TOKENS = [
    'v4.public.eyJpc3MiOiJhIn0.eyJraWQiOiIxIn0',
    'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJhIn0.c2ln',
  ] as const;

  /** Sends the text, and returns the page with what was checked. */
  async function sent(text: string) {
    const asked: string[] = [];
    const checkToken = async (_: unknown, given: string) => {
      asked.push(given);
      return err({ code: 'token_not_found' });
    };
    await using scene = await servePages({ useCases: { checkToken } });
    const form = await (await scene.signedIn()).get(PATH);
    return { asked, page: await form.submit('Check token', { Token: text }) };
  }

  test.each<readonly [string, (token: string) => string]>([
    ['a header', (token) => `Authorization: Bearer ${token}`],
    ['quotation marks', (token) => `"${token}"`],
    ['a line of a shell', (token) => `export API_TOKEN=${token}`],
    ['JSON, twice', (token) => `{"token": "${token}", "again": "${token}"}`],
    ['two lines', (token) => `${token.slice(0, -3)}\r\n ${token.slice(-3)}`],
  ])('is checked for the token in it: %s', async (_, within) => {
    for (const token of TOKENS) expect((await sent(within(token))).asked).toEqual([token]);
  });

  test('is not checked if it has two different tokens', async () => {
    const { asked, page } = await sent(TOKENS.join(' '));
    expect([asked, page.status]).toEqual([[], 422]);
    expect(page.text).toContain('The text has 2 tokens. Check one at a time.');
    for (const token of TOKENS) expect(page.html).not.toContain(token);
  });
});

test('every other text has the same answer, and none is shown', async () => {
  await using scene = await serve();
  const { token, foreign, check } = scene;
  const bodies = new Set<string>();
  for (const text of [
    foreign.secret,
    `${token.secret}A`,
    'Door badges',
    'v4.public.AAAA',
    ...NAUGHTY_TEXTS,
  ]) {
    const page = await check(text);
    expect(page.status).toBe(200);
    expect(page.messages.join()).toContain('This is not a token of your account.');
    if (text.length > 20) expect(page.html).not.toContain(text);
    bodies.add(page.text);
  }
  expect(bodies.size).toBe(1);
});

test('a member checks own tokens, and learns nothing of others', async () => {
  await using scene = await serve();
  const { token, foreign, check, world, people } = scene;
  const page = await check(await signInToken(world, people.member), BEN);
  expect(page.text).toMatch(/Works .* Owner You/);
  expect(page.links.map(({ text }) => text)).not.toContain('View token');
  const [ofAdmin, ofOthers] = [await check(token.secret, BEN), await check(foreign.secret, BEN)];
  expect(ofAdmin.messages.join()).toContain('This is not one of your tokens.');
  expect(ofAdmin.text).toBe(ofOthers.text);
});

test('a checked token is in no page, no cookie, no address and no line of the log', async () => {
  await using scene = await serve();
  const { token, signedIn, lines } = scene;
  const visitor = await signedIn();
  const form = await visitor.get(PATH);
  const page = await form.submit('Check token', { Token: token.secret });
  // The session ended: what was typed is kept for the sign-in, but not the token.
  visitor.cookies.delete('gatehouse');
  const signIn = await page.submit('Check token', { Token: token.secret });
  expect(signIn.heading).toBe('Sign in');
  const sent = [page, signIn].map(({ html, path, headers }) => [html, path, JSON.stringify([...headers])]);
  const all = [...sent.flat(), ...visitor.cookies.values(), ...lines].join('\n');
  // The form of the sign-in carries what was typed as base64url.
  const decoded = all.match(/[\w-]{20,}/g)?.map((text) => Buffer.from(text, 'base64url').toString());
  expect(decoded?.join('\n')).toContain(PATH);
  expect([all, ...(decoded ?? [])].join('\n')).not.toContain(token.secret);
});
