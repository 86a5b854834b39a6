import { createWorld, GOOD, givenPerson, PASSWORD, populate } from '@gatehouse/domain/testing';
import { createClientAddress } from '@gatehouse/front';
import { createRequestHandler } from '@gatehouse/http';
import { NO_LOG, serveHandler } from '@gatehouse/http/testing';
import { describe, expect, test } from 'vitest';
import { NAUGHTY_STRINGS, structureOf } from '../../testing/naughty-texts.ts';
import { pagesInMemory } from '../../testing/pages-in-memory.ts';
import { unrecorded } from '../../testing/serve-pages.ts';
import { createVisitor } from '../../testing/visitor.ts';
import { formView, type SomeValues } from '../elements/form.ts';
import { button, name } from '../elements/inline.ts';
import { table } from '../elements/table.ts';
import { html } from '../html.ts';
import { createErrorPages } from '../http/error-page.ts';
import { signInEndpoint } from '../sign-in.ts';
import { createFindSite } from '../site/site.ts';
import { denied, redirect } from '../view.ts';
import type { PageRequest } from './page-request.ts';
import { createSignedIn, type SignedInPage } from './signed-in.ts';

const FIELDS = {
  name: { label: 'Name' },
  scope: {
    label: 'Scopes',
    type: 'checkbox',
    choices: ['a', 'b'].map((value) => ({ value, label: `Scope ${value}` })),
  },
  password: { label: 'Password', type: 'password' },
} as const;
const PATH = '/things';

/** A page that lists things by name, and makes one. */
function thingsPage(things: string[]): SignedInPage<typeof FIELDS> {
  const shown = (request: PageRequest, typed: SomeValues<typeof FIELDS> = { name: '' }) =>
    formView(request, {
      title: 'Things',
      lead: table({ caption: 'Things', columns: { Name: name }, rows: things }),
      action: PATH,
      fields: FIELDS,
      values: typed,
      errors: [],
      content: (field) => html`${field('name')}
${field('scope')}${field('password')}${button('Make', 'primary')}`,
    });
  return {
    show: (request, typed) =>
      request.query.has('gone') ? denied({ code: 'not_found' }) : shown(request, typed),
    form: {
      fields: FIELDS,
      async submit(_, values) {
        things.push(`${values.name} ${values.scope}`);
        return redirect(PATH);
      },
    },
  };
}

async function serveThings() {
  const world = await createWorld();
  const people = await populate(world);
  const findSite = createFindSite(undefined);
  const ports = {
    ...pagesInMemory(world).useCases,
    findSite,
    clock: world.clock,
    recorded: unrecorded,
    noteProviderSignIn: () => undefined,
    passwordSignIn: 'on' as const,
    isMailSetUp: false,
  };
  const things: string[] = [];
  const endpoints = { '/sign-in': signInEndpoint(ports), [PATH]: createSignedIn(ports)(thingsPage(things)) };
  const app = createRequestHandler(
    { log: NO_LOG, clientAddress: createClientAddress(undefined) },
    {},
    {
      endpoints,
      problemView: createErrorPages(findSite, async () => undefined),
      isForReader: () => false,
    },
  );
  const served = await serveHandler(app);
  const visitor = createVisitor(served.url);
  await visitor.signIn(GOOD, `/sign-in?next=${PATH}`);
  return { ...served, world, people, things, visitor };
}

type Scene = Awaited<ReturnType<typeof serveThings>>;

const TYPED = { Name: 'ERP "1" <b>', 'Scope b': true, Password: 'hunter2' };

test('a form that was sent after the session had ended is shown again, filled in, and not done', async () => {
  await using scene = await serveThings();
  const { visitor, things, world, people } = scene;
  const page = await visitor.get(`${PATH}?a=b`);
  world.clock.advance(31 * 60_000);
  const asked = await page.submit('Make', TYPED);
  expect([asked.status, asked.heading]).toEqual([401, 'Sign in']);
  expect(asked.messages).toEqual(['Your session has ended. Sign in again to continue.']);
  const draft = asked.fill('Sign in').get('draft')?.split('.')[0] ?? '';
  expect(JSON.parse(Buffer.from(draft, 'base64url').toString())).toEqual([
    PATH,
    { name: TYPED.Name, scope: ['b'] },
    people.admin.id,
  ]);
  const wrong = await asked.submit('Sign in', { Email: GOOD.email, Password: 'x' });
  const back = await wrong.submit('Sign in', { Email: GOOD.email, Password: PASSWORD });
  expect([back.status, back.path, things]).toEqual([200, PATH, []]);
  expect(back.messages).toEqual([
    'Your session had ended or was being renewed, so this form was not accepted. Check the form and send it again.',
  ]);
  const filled = back.fill('Make');
  expect([filled.get('name'), filled.getAll('scope'), filled.get('password')]).toEqual([
    TYPED.Name,
    ['b'],
    '',
  ]);
  for (const { html: written } of [asked, wrong, back]) expect(written).not.toContain('hunter2');
  expect([...visitor.cookies.keys()]).toEqual(['gatehouse']);
  await back.submit('Make', { Password: 'hunter2' });
  expect(things).toEqual([`${TYPED.Name} b`]);
});

test('what was typed is shown once, and in its own form only', async () => {
  await using scene = await serveThings();
  const { visitor, world } = scene;
  const page = await visitor.get(PATH);
  world.clock.advance(31 * 60_000);
  const asked = await page.submit('Make', TYPED);
  const sent = asked.fill('Sign in', { Email: GOOD.email, Password: PASSWORD });
  sent.set('next', `${PATH}?other`);
  const other = await visitor.post('/sign-in', sent);
  expect([other.path, other.fill('Make').get('name')]).toEqual([`${PATH}?other`, '']);
  expect([other.messages, (await visitor.get(PATH)).fill('Make').get('name')]).toEqual([[], '']);
});

test('what another browser typed fills in nothing', async () => {
  await using scene = await serveThings();
  const { visitor, world, url } = scene;
  const page = await visitor.get(PATH);
  world.clock.advance(31 * 60_000);
  const draft = (await page.submit('Make', TYPED)).fill('Sign in').get('draft') ?? '';
  const victim = createVisitor(url);
  const sent = (await victim.get(`/sign-in?next=${PATH}`)).fill('Sign in', {
    Email: GOOD.email,
    Password: PASSWORD,
  });
  sent.set('draft', draft);
  const back = await victim.post('/sign-in', sent);
  expect([back.path, back.fill('Make').get('name')]).toEqual([PATH, '']);
});

/** Another user of the account, and one of another account. */
const OTHERS = {
  'of the same account': ({ people }: Scene) => people.account.id,
  'of another account': ({ people }: Scene) => people.foreign.accountId,
};

describe.each(Object.entries(OTHERS))('a user %s', (_, accountOf) => {
  async function givenOther(scene: Scene) {
    const { email } = await givenPerson(scene.world, {
      accountId: accountOf(scene),
      email: 'eve@acme.example',
    });
    return { email, password: PASSWORD };
  }

  test('who signs in on the page of an ended session is not shown what was typed, and not led there', async () => {
    await using scene = await serveThings();
    const eve = await givenOther(scene);
    const page = await scene.visitor.get(PATH);
    scene.world.clock.advance(31 * 60_000);
    const asked = await page.submit('Make', TYPED);
    const sent = asked.fill('Sign in', { Email: eve.email, Password: eve.password });
    const response = await scene.visitor.ask('/sign-in', {
      method: 'POST',
      body: `${sent}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: scene.url },
    });
    expect(response.headers.get('location')).toBe('/settings/api');
    expect([...scene.visitor.cookies.keys()]).toEqual(['gatehouse']);
    const shown = await scene.visitor.get(PATH);
    expect([shown.fill('Make').get('name'), shown.messages]).toEqual(['', []]);
  });

  test('who signed in in another tab is not shown what the tab of the user before sends', async () => {
    await using scene = await serveThings();
    const eve = await givenOther(scene);
    const { visitor } = scene;
    const page = await visitor.get(PATH);
    visitor.cookies.delete('gatehouse');
    await visitor.signIn(eve, `/sign-in?next=${PATH}`);
    const shown = await page.submit('Make', TYPED);
    expect([shown.status, shown.messages]).toEqual([
      403,
      ['This form was opened by another user, so nothing was changed.'],
    ]);
    expect([shown.fill('Make').get('name'), shown.html.includes('ERP'), scene.things]).toEqual([
      '',
      false,
      [],
    ]);
  });

  test('is not shown a draft or a notice that is left of the user before', async () => {
    await using scene = await serveThings();
    const eve = await givenOther(scene);
    const { visitor } = scene;
    const page = await visitor.get(PATH);
    scene.world.clock.advance(31 * 60_000);
    const asked = await page.submit('Make', TYPED);
    const sent = asked.fill('Sign in', { Email: GOOD.email, Password: PASSWORD });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: scene.url };
    await visitor.ask('/sign-in', { method: 'POST', body: `${sent}`, headers });
    visitor.cookies.set('gatehouse-notice', 'token_revoked');
    expect([...visitor.cookies.keys()]).toEqual(['gatehouse', 'gatehouse-draft', 'gatehouse-notice']);
    visitor.cookies.delete('gatehouse');
    const form = (await visitor.get(`/sign-in?next=${PATH}`)).fill('Sign in', {
      Email: eve.email,
      Password: eve.password,
    });
    visitor.cookies.set('gatehouse-notice', 'token_revoked');
    const back = await visitor.post('/sign-in', form);
    expect([back.path, back.messages, back.fill('Make').get('name')]).toEqual([PATH, [], '']);
    expect([...visitor.cookies.keys()]).toEqual(['gatehouse']);
  });
});

test('what was typed into a form that does not say whose it is is not kept', async () => {
  await using scene = await serveThings();
  const page = await scene.visitor.get(PATH);
  scene.world.clock.advance(31 * 60_000);
  const values = page.fill('Make', TYPED);
  values.delete('form_token');
  const asked = await scene.visitor.post(PATH, values);
  expect([asked.status, asked.fill('Sign in').get('draft')]).toEqual([401, null]);
});

test('what is too long for a cookie is not kept, and the sign-in goes on', async () => {
  await using scene = await serveThings();
  const page = await scene.visitor.get(PATH);
  scene.world.clock.advance(31 * 60_000);
  const asked = await page.submit('Make', { Name: 'x'.repeat(4000) });
  const back = await asked.submit('Sign in', { Email: GOOD.email, Password: PASSWORD });
  expect([back.path, back.fill('Make').get('name')]).toEqual([PATH, '']);
});

test('what a user may not see is a page with the way to others', async () => {
  await using scene = await serveThings();
  const page = await scene.visitor.get(`${PATH}?gone`);
  expect([page.status, page.heading, page.title]).toEqual([
    404,
    'Page not found',
    'Page not found — Gatehouse',
  ]);
  expect(page.forms.map((one) => one.button)).toEqual(['Sign out']);
});

test('every text that a user can write is text, in a list and in a form', async () => {
  await using scene = await serveThings();
  const { visitor, things } = scene;
  things.push('plain');
  const plain = structureOf((await visitor.get(PATH)).html);
  for (const naughty of NAUGHTY_STRINGS) {
    things.splice(0, 1, naughty);
    const page = await visitor.get(PATH);
    expect(structureOf(page.html)).toBe(plain);
    expect(page.html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/u);
  }
});
