import type { Page } from 'playwright-core';
import { type Person, signIn } from '../../index.ts';
import { forgetPassword } from '../forget-password.ts';
import { inDatabase } from '../in-database.ts';
import { LONG_LABEL, type ProviderWorld } from '../provider-world.ts';
import { at, press, type State } from './state.ts';

type ProviderState = State<ProviderWorld, undefined>;

const METHODS = '/settings/sign-in';

/** Opens the page that the server answered once more, so that its answer is looked at. */
const again = (page: Page) => page.reload().then(() => undefined);

const addressOf = (name: string) => `${name}@acme.example`;

/** The users who are admins. The others are members. */
const ADMINS = new Set(['sofia', 'fresh', 'late']);

const RETURN = '/sign-in/return/';

const PASSWORD = 'a heavy press, twice';

/** Adds a user of Acme, whose address the operator proves, if no state before this one did. */
async function addUser({ command }: ProviderWorld, name: string): Promise<Person> {
  const role = ADMINS.has(name) ? 'admin' : 'member';
  const person = { email: addressOf(name), password: PASSWORD };
  const options = ['--account', '1', '--email', person.email, '--name', name, '--role', role];
  const listed = await command(['user', 'list', '--search', person.email, '--json']);
  if (!listed.includes(person.email))
    await command(['user', 'create', ...options, '--password-stdin'], `${person.password}\n`);
  return person;
}

/** Signs a person in with the provider, which links the user of the address, and opens the page. */
async function enterWith(page: Page, world: ProviderWorld, name: string, path: string, email?: string) {
  await world.be(page, name, email);
  await page.goto(`${world.url}/sign-in/with/acme?next=${encodeURIComponent(path)}`);
  await page.waitForURL(`${world.url}${path}`);
}

/** A page as a user sees it whom a provider signed in. `prepare` is called when the user has an identity. */
function ofLinked(
  name: string,
  path: string,
  prepare?: (page: Page, world: ProviderWorld, email: string) => Promise<void>,
): Pick<ProviderState, 'who' | 'path' | 'earlier' | 'send'> {
  return {
    who: 'visitor',
    path: at('/sign-in'),
    async earlier(page, world) {
      const { email } = await addUser(world, name);
      await enterWith(page, world, name, path);
      await prepare?.(page, world, email);
    },
    send: again,
  };
}

/** A page as a user sees it who entered a password. */
function ofPassword(
  personIn: (world: ProviderWorld) => Promise<Person> | Person,
  path: string,
  prepare?: (world: ProviderWorld, person: Person) => Promise<void>,
): Pick<ProviderState, 'who' | 'path' | 'earlier' | 'send'> {
  return {
    who: 'visitor',
    path: at('/sign-in'),
    async earlier(page, world) {
      const person = await personIn(world);
      await signIn(page, world, person);
      await page.goto(`${world.url}${path}`);
      await prepare?.(world, person);
    },
    send: again,
  };
}

const confirmedUntil = (when: string) => (_: Page, world: ProviderWorld, email: string) =>
  inDatabase(world, `UPDATE users SET confirmed_until = now() + interval '${when}' WHERE email = $1`, email);

/** Keeps the browser on the page that leads to the provider. */
const stay = (page: Page) => page.route('**/auth?**', (route) => route.fulfill({ status: 204 }));

async function codeOfInvitation({ command }: ProviderWorld): Promise<string> {
  const options = ['--account', '1', '--email', `joining-${Date.now()}@acme.example`, '--role', 'member'];
  return JSON.parse(await command(['user', 'invite', ...options, '--json'])).code;
}

async function enterCode(page: Page, world: ProviderWorld): Promise<void> {
  await page.getByLabel('Code').fill(await codeOfInvitation(world));
  await press(page, 'Continue');
}

/** Signs in a person who joined with the provider, and so has no password, and opens the page. */
const ofJoined = (name: string, path: string): Pick<ProviderState, 'who' | 'path' | 'earlier' | 'send'> => ({
  who: 'visitor',
  path: at('/invitation'),
  async earlier(page, world) {
    await world.be(page, name);
    await enterCode(page, world);
    await press(page, 'Join with Entra ID');
    await page.waitForURL(`${world.url}/settings/**`);
    await page.goto(`${world.url}${path}`);
  },
  send: again,
});

const member = (world: ProviderWorld) => world.acme.member;
const admin = (world: ProviderWorld) => world.acme.admin;

/** Makes a rule about confirmations, and a token of a person whose confirmation is overdue. Returns the ids. */
async function makeOverdue(page: Page, world: ProviderWorld) {
  const { command } = world;
  await command(['account', 'policy', 'set', '1', '--confirm-within', '30d']);
  const { email } = await addUser(world, 'late');
  await enterWith(page, world, 'late', '/settings/profile');
  const name = `Late ${Date.now()}`;
  const made = await command([
    'token',
    'create',
    '--as',
    email,
    '--name',
    name,
    '--scope',
    'me:read',
    '--json',
  ]);
  await confirmedUntil('-1 day')(page, world, email);
  const { id } = JSON.parse(await command(['user', 'show', email, '--json']));
  await page.context().clearCookies();
  return { token: `${JSON.parse(made).id}`, user: `${id}` };
}

/** A page about the person whose confirmation is overdue, as another admin sees it. */
const aboutOverdue = (
  pathOf: (ids: Awaited<ReturnType<typeof makeOverdue>>) => string,
): Pick<ProviderState, 'who' | 'path' | 'earlier' | 'send'> => ({
  who: 'visitor',
  path: at('/sign-in'),
  async earlier(page, world) {
    const path = pathOf(await makeOverdue(page, world));
    await signIn(page, world, world.acme.admin);
    await page.goto(`${world.url}${path}`);
  },
  send: again,
});

/** What the server with three providers shows. */
export const PROVIDER_STATES: readonly ProviderState[] = [
  { name: 'sign-in, with three providers', who: 'visitor', path: at('/sign-in?next=/settings/profile') },
  {
    name: 'sign-in, with three providers, refused',
    who: 'visitor',
    path: at('/sign-in'),
    status: 401,
    send: (page) => press(page, 'Sign in'),
  },
  {
    name: 'way to a provider',
    ...ofPassword(member, METHODS),
    async send(page) {
      await stay(page);
      await press(page, 'Link identity');
    },
  },
  { name: 'unknown provider', who: 'visitor', path: at('/sign-in/with/nothing'), status: 404 },
  { name: 'provider that is away', who: 'visitor', path: at('/sign-in/with/away'), status: 502 },
  {
    name: 'attempt that has expired',
    who: 'visitor',
    path: at('/sign-in/return/acme?code=x&state=y'),
    status: 400,
  },
  {
    name: 'identity that is not linked',
    who: 'visitor',
    path: at('/sign-in'),
    status: 403,
    from: RETURN,
    earlier: (page, world) => world.be(page, 'stranger', 'stranger@other.example'),
    send: (page) => page.getByRole('link', { name: 'Sign in with Entra ID' }).click(),
  },
  {
    name: 'person without a role',
    who: 'visitor',
    path: at('/sign-in'),
    status: 403,
    from: RETURN,
    async earlier(page, world) {
      await signIn(page, world, await addUser(world, 'norole'));
      await world.be(page, 'norole');
      await page.goto(`${world.url}${METHODS}`);
      await page.getByLabel('Identity provider').selectOption({ label: LONG_LABEL });
    },
    send: (page) => press(page, 'Link identity'),
  },
  {
    name: 'link that was refused',
    who: 'visitor',
    path: at('/sign-in'),
    status: 403,
    from: RETURN,
    async earlier(page, world) {
      await addUser(world, 'owner');
      await enterWith(page, world, 'owner', METHODS);
      await page.context().clearCookies();
      await signIn(page, world, world.acme.member);
      await page.goto(`${world.url}${METHODS}`);
    },
    send: (page) => press(page, 'Link identity'),
  },
  {
    name: 'confirmation that was refused',
    ...ofLinked('sofia', '/settings/profile', async (page, world, email) => {
      await forgetPassword(world, { email });
      await page.goto(`${world.url}/settings/api/new?name=ERP&scope=me:read`);
      await world.be(page, 'eve');
    }),
    status: 403,
    from: RETURN,
    send: (page) => press(page, 'Create token'),
  },
  { name: 'sign-in methods, with providers to link', ...ofPassword(member, METHODS) },
  {
    name: 'sign-in methods, with providers to link and the password',
    ...ofPassword(member, METHODS, forgetPassword),
  },
  {
    name: 'sign-in methods, with identities',
    ...ofLinked('linked', METHODS, async (_, world, email) => {
      await inDatabase(
        world,
        "UPDATE identities SET email = repeat('w', 64) || '@' || repeat('x', 60) || '.acme.example' WHERE user_id = (SELECT id FROM users WHERE email = $1)",
        email,
      );
      await inDatabase(
        world,
        `INSERT INTO identities (issuer, subject, user_id, linked_at, confirmed_at)
         SELECT 'https://login.microsoftonline.example/0f8fad5b-d9cb-469f-a165-70867728950e/v2.0',
           repeat('Subject', 20), id, now(), now() FROM users WHERE email = $1 ON CONFLICT DO NOTHING`,
        email,
      );
    }),
  },
  { name: 'sign-in methods, without a password', ...ofJoined('joined', METHODS) },
  {
    name: 'sign-in methods, unlinking the last identity',
    ...ofJoined('kept', METHODS),
    status: 409,
    send: (page) => press(page, 'Unlink'),
  },
  { name: 'sign-in methods, overdue', ...ofLinked('overdue', METHODS, confirmedUntil('-2 days')) },
  { name: 'sign-in methods, ending soon', ...ofLinked('soon', METHODS, confirmedUntil('3 hours')) },
  {
    name: 'sign-in methods, of a user for emergencies',
    ...ofPassword(async (world) => {
      const person = await addUser(world, 'emergency');
      await world.command(['user', 'mark-break-glass', person.email]);
      return person;
    }, METHODS),
  },
  { name: 'password, of a user who has none', ...ofJoined('nopass', '/settings/password') },
  { name: 'invitation, with providers', who: 'visitor', path: at('/invitation'), send: enterCode },
  {
    name: 'new token, with a confirmation by the provider',
    ...ofLinked('fresh', '/settings/profile', async (page, world, email) => {
      await forgetPassword(world, { email });
      await page.goto(`${world.url}/settings/api/new`);
    }),
  },
  {
    name: 'token rules, with confirmations',
    ...ofPassword(admin, '/settings/account/rules', async ({ command }) => {
      await command(['account', 'policy', 'set', '1', '--confirm-within', '30d']);
    }),
  },
  {
    name: 'token rules for people, with confirmations',
    ...ofPassword(admin, '/settings/account/rules/people', async ({ command }) => {
      await command(['account', 'policy', 'set', '1', '--confirm-within', '45d']);
    }),
  },
  {
    name: 'token of an owner who is not confirmed',
    ...aboutOverdue(({ token }) => `/settings/api/${token}`),
  },
  {
    name: 'tokens of an owner who is not confirmed',
    ...aboutOverdue(() => '/settings/api?section=ended&search=Late'),
  },
  { name: 'user who is not confirmed', ...aboutOverdue(({ user }) => `/settings/users/${user}`) },
];

/** What the server with one provider shows, which accepts passwords in emergencies only. */
export const EMERGENCY_STATES: readonly ProviderState[] = [
  { name: 'sign-in, with passwords for emergencies', who: 'visitor', path: at('/sign-in') },
  {
    name: 'sign-in, with a wrong password',
    who: 'visitor',
    path: at('/sign-in'),
    status: 401,
    async send(page) {
      await page.getByText('Sign in with a password').click();
      await page.getByLabel('Email').fill('ada@acme.example');
      await page.getByLabel('Password').fill('wrong');
      await press(page, 'Sign in');
    },
  },
];

/** What the server with one provider shows, which accepts passwords. */
export const ONE_PROVIDER_STATES: readonly ProviderState[] = [
  { name: 'sign-in, with one provider', who: 'visitor', path: at('/sign-in') },
];
