import { PASSWORD } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { apiToken } from '../../testing/population.ts';
import { GOOD } from '../../testing/serve-sign-in.ts';
import { serveVisitors } from '../../testing/serve-visitors.ts';
import type { Visitor } from '../../testing/visitor.ts';

const FORM = 'application/x-www-form-urlencoded';
const PATH = '/settings/password';
const NEW = 'another horse battery';

type Scene = Awaited<ReturnType<typeof serveVisitors>>;

/** A form that would be accepted, as its page made it, and what a forger can change of the request. */
interface Sent {
  readonly visitor: Visitor;
  readonly path: string;
  readonly values: URLSearchParams;
  readonly headers: Record<string, string>;
  /** What its page has only before it is done. */
  readonly button?: string;
}

async function passwordForm(scene: Scene, visitor?: Visitor): Promise<Sent> {
  const visiting = visitor ?? (await scene.signedIn());
  const page = await visiting.get(PATH);
  const values = page.fill('Change password', {
    'Your password now': PASSWORD,
    'New password': NEW,
    'New password again': NEW,
  });
  return { visitor: visiting, path: PATH, values, headers: { 'content-type': FORM, origin: scene.url } };
}

async function signInForm(scene: Scene): Promise<Sent> {
  const visitor = scene.visitor();
  const page = await visitor.get('/sign-in');
  const values = page.fill('Sign in', { Email: GOOD.email, Password: PASSWORD });
  return { visitor, path: '/sign-in', values, headers: { 'content-type': FORM, origin: scene.url } };
}

async function signOutForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const values = (await visitor.get(PATH)).fill('Sign out');
  return { visitor, path: '/sign-out', values, headers: { 'content-type': FORM, origin: scene.url } };
}

async function revokeForm(scene: Scene): Promise<Sent> {
  const { record } = await apiToken(scene.world, scene.people.admin);
  const visitor = await scene.signedIn();
  const path = `/settings/api/${record.id}/revoke`;
  const values = (await visitor.get(path)).fill('Revoke token', { Reason: 'leak' });
  const headers = { 'content-type': FORM, origin: scene.url };
  return { visitor, path, values, headers, button: 'Revoke token' };
}

async function endSessionsForm(scene: Scene): Promise<Sent> {
  await scene.signedIn();
  const visitor = await scene.signedIn();
  const path = '/settings/sessions';
  const values = (await visitor.get(path)).fill('End all other sessions');
  const headers = { 'content-type': FORM, origin: scene.url };
  return { visitor, path, values, headers, button: 'End all other sessions' };
}

const send = ({ visitor, path, values, headers }: Sent, method = 'POST') =>
  visitor.ask(method === 'GET' ? `${path}?${values}` : path, {
    method,
    headers,
    ...(method !== 'GET' && { body: `${values}` }),
  });

const FORMS = {
  'changing a password': passwordForm,
  'signing in': signInForm,
  'signing out': signOutForm,
  'revoking a token': revokeForm,
  'ending sessions': endSessionsForm,
};

type Fill = (scene: Scene) => Promise<Sent>;

/** What another site can make a browser send, though it has the cookies and all else is right. */
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
    const page = path === '/sign-in' ? await (await scene.signedIn()).get(PATH) : await visitor.get(PATH);
    const other = page.fill(path === PATH ? 'Sign out' : 'Change password');
    values.set('form_token', other.get('form_token') ?? '');
  },
  'with the token of another session': async ({ values }, scene, fill) =>
    values.set('form_token', (await fill(scene)).values.get('form_token') ?? ''),
  'with a target that its token is not for': ({ values }) => values.set('form_target', 'x'),
};

describe.each(Object.entries(FORMS))('%s', (name, fill) => {
  test('is done when its page asks for it', async () => {
    await using scene = await serveVisitors();
    expect((await send(await fill(scene))).status).toBe(303);
  });

  test('is done where a browser tells only that it is the same origin', async () => {
    await using scene = await serveVisitors();
    const sent = await fill(scene);
    delete sent.headers.origin;
    sent.headers['sec-fetch-site'] = 'same-origin';
    expect((await send(sent)).status).toBe(303);
  });

  test.each(Object.entries(FORGERIES))('is refused %s', async (_, forge) => {
    await using scene = await serveVisitors();
    const sent = await fill(scene);
    const before = sent.visitor.cookies.get('gatehouse');
    await forge(sent, scene, fill);
    const response = await send(sent);
    expect(response.status).toBe(403);
    expect(sent.visitor.cookies.get('gatehouse')).toBe(before);
    // Nothing was changed.
    await scene.signedIn();
    if (name !== 'signing in') expect((await sent.visitor.get(PATH)).heading).toBe('Password');
    if (sent.button !== undefined) (await sent.visitor.get(sent.path)).formWith(sent.button);
  });

  test('is refused without the cookie that its token goes with', async () => {
    await using scene = await serveVisitors();
    const sent = await fill(scene);
    for (const cookie of ['gatehouse', 'gatehouse-visit']) sent.visitor.cookies.delete(cookie);
    const response = await send(sent);
    expect(response.headers.getSetCookie().filter((line) => line.startsWith('gatehouse=ey'))).toEqual([]);
    expect([...sent.visitor.cookies.keys()]).not.toContain('gatehouse');
    await scene.signedIn();
  });

  test('is done by POST alone', async () => {
    await using scene = await serveVisitors();
    const sent = await fill(scene);
    for (const method of ['GET', 'HEAD']) {
      const { visitor, path, values, headers } = sent;
      await visitor.ask(`${path}?${values}`, { method, headers });
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const response = await send(sent, method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    }
    expect(scene.lines).toEqual(scene.lines.filter((line) => !line.includes(NEW)));
    expect((await send(sent)).status).toBe(303);
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
  await using scene = await serveVisitors();
  for (const fill of Object.values(FORMS)) {
    const sent = await fill(scene);
    forge(sent);
    const response = await send(sent);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  }
  await scene.signedIn();
});

test('a form that is no percent-encoded UTF-8 is refused', async () => {
  await using scene = await serveVisitors();
  const { visitor, path, headers } = await passwordForm(scene);
  for (const body of ['current=%ff', 'current=%zz', 'a=%']) {
    expect((await visitor.ask(path, { method: 'POST', headers, body })).status).toBe(400);
  }
});

test('the form of another tab, from before one signed in again, is shown again and not done', async () => {
  await using scene = await serveVisitors();
  const visitor = await scene.signedIn();
  const old = await visitor.get(PATH);
  visitor.cookies.delete('gatehouse');
  await visitor.signIn(GOOD);
  const typed = { 'Your password now': PASSWORD, 'New password': NEW, 'New password again': NEW };
  const page = await old.submit('Change password', typed);
  expect([page.status, page.heading]).toEqual([403, 'Password']);
  expect(page.messages[0]).toMatch(/^This form was opened in another session of yours/);
  expect(page.html).not.toContain(NEW);
  expect((await page.submit('Change password', typed)).status).toBe(200);
  await scene.signedIn({ ...GOOD, password: NEW });
});
