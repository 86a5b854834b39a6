import { isDeepStrictEqual } from 'node:util';
import { GOOD, PASSWORD } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import {
  type Fill,
  NEW_PASSWORD,
  PAGE_FORMS,
  passwordForm,
  type Sent,
  send,
  tokensOf,
} from '../testing/page-forms.ts';
import { servePages } from '../testing/serve-pages.ts';

const FORM = 'application/x-www-form-urlencoded';
const PATH = '/settings/password';

type Scene = Awaited<ReturnType<typeof servePages>>;

/** Requests that another site can make a browser send. They have the cookies, and all else is right. */
const FORGERIES: Readonly<
  Record<string, (sent: Sent, scene: Scene, fill: Fill) => Promise<unknown> | unknown>
> = {
  'from another origin': ({ headers }) => Object.assign(headers, { origin: 'https://evil.example' }),
  'from another port': ({ headers }) => Object.assign(headers, { origin: 'http://127.0.0.1:1' }),
  'from another scheme': ({ headers }, { url }) =>
    Object.assign(headers, { origin: url.replace('http:', 'https:') }),
  'from a longer origin': ({ headers }, { url }) => Object.assign(headers, { origin: `${url}.evil.example` }),
  'from an origin that is hidden': ({ headers }) => Object.assign(headers, { origin: 'null' }),
  'without an origin': ({ headers }) => Reflect.deleteProperty(headers, 'origin'),
  'without an origin, from another site': ({ headers }) => {
    delete headers.origin;
    headers['sec-fetch-site'] = 'cross-site';
  },
  'without an origin, from a sister site': ({ headers }) => {
    delete headers.origin;
    headers['sec-fetch-site'] = 'same-site';
  },
  'from another origin that claims to be the same': ({ headers }) => {
    headers.origin = 'https://evil.example';
    headers['sec-fetch-site'] = 'same-origin';
  },
  'without a token': ({ values }) => values.delete('form_token'),
  'with an empty token': ({ values }) => values.set('form_token', ''),
  'with the token of another path': async ({ visitor, path, values }, scene) => {
    const page = path.startsWith('/sign-in')
      ? await (await scene.signedIn()).get(PATH)
      : await visitor.get(PATH);
    const other = page.fill(path === PATH ? 'Sign out' : 'Change password');
    values.set('form_token', other.get('form_token') ?? '');
  },
  'with the token of another session': async ({ values }, scene, fill) => {
    const other = await fill(scene);
    for (const field of ['form_token', 'form_target']) {
      const value = other.values.get(field);
      if (value !== null) values.set(field, value);
    }
  },
  'with a target that its token is not for': ({ values }) => values.set('form_target', 'x'),
};

describe.each(Object.entries(PAGE_FORMS))('%s', (name, fill) => {
  test('is done when its page asks for it', async () => {
    await using scene = await servePages();
    const sent = await fill(scene);
    const before = await tokensOf(scene);
    expect((await send(sent)).status).toBe(sent.done);
    expect(isDeepStrictEqual(await tokensOf(scene), before)).toBe(!name.includes('token'));
  });

  test('is done where a browser tells only that it is the same origin', async () => {
    await using scene = await servePages();
    const sent = await fill(scene);
    delete sent.headers.origin;
    sent.headers['sec-fetch-site'] = 'same-origin';
    expect((await send(sent)).status).toBe(sent.done);
  });

  test.each(Object.entries(FORGERIES))('is refused %s', async (how, forge) => {
    await using scene = await servePages();
    const sent = await fill(scene);
    const before = sent.visitor.cookies.get('gatehouse');
    await forge(sent, scene, fill);
    const tokens = await tokensOf(scene);
    const response = await send(sent);
    expect(response.status).toBe(how.startsWith('with') && !how.startsWith('without an origin') ? 403 : 400);
    expect(await tokensOf(scene)).toEqual(tokens);
    expect(sent.visitor.cookies.get('gatehouse')).toBe(before);
    // Nothing was changed.
    await scene.signedIn();
    if (!name.startsWith('signing in')) expect((await sent.visitor.get(PATH)).heading).toBe('Password');
    if (sent.button !== undefined) (await sent.visitor.get(sent.path)).formWith(sent.button);
  });

  test('is refused without the cookie that its token goes with', async () => {
    await using scene = await servePages();
    const sent = await fill(scene);
    for (const cookie of ['gatehouse', 'gatehouse-visit']) sent.visitor.cookies.delete(cookie);
    const tokens = await tokensOf(scene);
    const response = await send(sent);
    expect(await tokensOf(scene)).toEqual(tokens);
    expect(response.headers.getSetCookie().filter((line) => line.startsWith('gatehouse=ey'))).toEqual([]);
    expect([...sent.visitor.cookies.keys()]).not.toContain('gatehouse');
    await scene.signedIn();
  });

  test('is done by POST alone', async () => {
    await using scene = await servePages();
    const sent = await fill(scene);
    const tokens = await tokensOf(scene);
    for (const method of ['GET', 'HEAD']) {
      const { visitor, path, values, headers } = sent;
      await visitor.ask(`${path}?${values}`, { method, headers });
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const response = await send(sent, method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    }
    expect(scene.lines).toEqual(scene.lines.filter((line) => !line.includes(NEW_PASSWORD)));
    expect(await tokensOf(scene)).toEqual(tokens);
    expect((await send(sent)).status).toBe(sent.done);
  });
});

/** Bodies that no page of ours sends. */
const MALFORMED: Readonly<Record<string, readonly [status: number, forge: (sent: Sent) => unknown]>> = {
  'with a field that the form does not have': [400, ({ values }) => values.append('role', 'admin')],
  'with a field twice': [400, ({ values }) => values.append('form_token', 'x')],
  'with 65 fields': [400, ({ values }) => repeat(65, (index) => values.append(`a${index}`, ''))],
  'as JSON': [415, ({ headers }) => Object.assign(headers, { 'content-type': 'application/json' })],
  'as plain text': [415, ({ headers }) => Object.assign(headers, { 'content-type': 'text/plain' })],
  'as multipart form data': [
    415,
    ({ headers }) => Object.assign(headers, { 'content-type': 'multipart/form-data; boundary=x' }),
  ],
  'in another character set': [
    415,
    ({ headers }) => Object.assign(headers, { 'content-type': `${FORM}; charset=latin1` }),
  ],
  compressed: [415, ({ headers }) => Object.assign(headers, { 'content-encoding': 'gzip' })],
  'larger than 16 KiB': [413, ({ values }) => values.set('form_token', 'x'.repeat(17_000))],
};

function repeat(times: number, act: (index: number) => void): void {
  for (let index = 0; index < times; index += 1) act(index);
}

test.each(Object.entries(MALFORMED))('a form is refused %s', async (_, [status, forge]) => {
  await using scene = await servePages();
  for (const fill of Object.values(PAGE_FORMS)) {
    const sent = await fill(scene);
    forge(sent);
    const tokens = await tokensOf(scene);
    const response = await send(sent);
    expect(await tokensOf(scene)).toEqual(tokens);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  }
  await scene.signedIn();
});

test('a form that is no percent-encoded UTF-8 is refused', async () => {
  await using scene = await servePages();
  const { visitor, path, headers } = await passwordForm(scene);
  for (const body of ['current=%ff', 'current=%zz', 'a=%']) {
    expect((await visitor.ask(path, { method: 'POST', headers, body })).status).toBe(400);
  }
});

test('the form of another tab, from before one signed in again, is shown again and not done', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  const old = await visitor.get(PATH);
  visitor.cookies.delete('gatehouse');
  await visitor.signIn(GOOD);
  const typed = {
    'Current password': PASSWORD,
    'New password': NEW_PASSWORD,
    'Confirm new password': NEW_PASSWORD,
  };
  const page = await old.submit('Change password', typed);
  expect([page.status, page.heading]).toEqual([403, 'Password']);
  expect(page.messages[0]).toMatch(/^This form was opened in another session of yours/);
  expect(page.html).not.toContain(NEW_PASSWORD);
  expect((await page.submit('Change password', typed)).status).toBe(200);
  await scene.signedIn({ ...GOOD, password: NEW_PASSWORD });
});
