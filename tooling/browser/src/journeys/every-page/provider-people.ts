import type { Page } from 'playwright-core';
import { type Person, signIn } from '../../index.ts';
import { inDatabase } from '../in-database.ts';
import type { ProviderWorld } from '../provider-world.ts';
import { at, press, type State } from './state.ts';

export type ProviderState = State<ProviderWorld, undefined>;

export const METHODS = '/settings/sign-in';

/** Opens the page that the server answered once more, so that its answer is looked at. */
const again = (page: Page) => page.reload().then(() => undefined);

const addressOf = (name: string) => `${name}@acme.example`;

/** The users who are admins. The others are members. */
const ADMINS = new Set(['sofia', 'fresh', 'late']);

export const RETURN = '/sign-in/return/';

const PASSWORD = 'a heavy press, twice';

/** Adds a user of Acme, whose address the operator proves, if no state before this one did. */
export async function addUser({ command }: ProviderWorld, name: string): Promise<Person> {
  const role = ADMINS.has(name) ? 'admin' : 'member';
  const person = { email: addressOf(name), password: PASSWORD };
  const options = ['--account', '1', '--email', person.email, '--name', name, '--role', role];
  const listed = await command(['user', 'list', '--search', person.email, '--json']);
  if (!listed.includes(person.email))
    await command(['user', 'create', ...options, '--password-stdin'], `${person.password}\n`);
  return person;
}

/** Signs a person in with the provider, which links the user of the address, and opens the page. */
export async function enterWith(
  page: Page,
  world: ProviderWorld,
  name: string,
  path: string,
  email?: string,
) {
  await world.be(page, name, email);
  await page.goto(`${world.url}/sign-in/with/acme?next=${encodeURIComponent(path)}`);
  await page.waitForURL(`${world.url}${path}`);
}

/** A page as a user sees it whom a provider signed in. `prepare` is called when the user has an identity. */
export function ofLinked(
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
export function ofPassword(
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

export const confirmedUntil = (when: string) => (_: Page, world: ProviderWorld, email: string) =>
  inDatabase(world, `UPDATE users SET confirmed_until = now() + interval '${when}' WHERE email = $1`, email);

/** Keeps the browser on the page that leads to the provider. */
export const stay = (page: Page) => page.route('**/auth?**', (route) => route.fulfill({ status: 204 }));

async function codeOfInvitation({ command }: ProviderWorld): Promise<string> {
  const options = ['--account', '1', '--email', `joining-${Date.now()}@acme.example`, '--role', 'member'];
  return JSON.parse(await command(['user', 'invite', ...options, '--json'])).code;
}

export async function enterCode(page: Page, world: ProviderWorld): Promise<void> {
  await page.getByLabel('Code').fill(await codeOfInvitation(world));
  await press(page, 'Continue');
}

/** Signs in a person who joined with the provider, and so has no password, and opens the page. */
export const ofJoined = (
  name: string,
  path: string,
): Pick<ProviderState, 'who' | 'path' | 'earlier' | 'send'> => ({
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

export const member = (world: ProviderWorld) => world.acme.member;
export const admin = (world: ProviderWorld) => world.acme.admin;

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
export const aboutOverdue = (
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
