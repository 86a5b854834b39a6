import type { Page } from 'playwright-core';
import { newPage, type Person, signIn, type World } from '../../index.ts';
import { codeOf } from '../totp.ts';
import { at, press, type State } from './state.ts';

const PATH = '/settings/second-factor';

/** A member of Acme who gets a second factor, and one who only sets it up. */
const PAT: Person = { email: 'pat@acme.example', password: 'the phrase of Pat' };
const QUINN: Person = { email: 'quinn@acme.example', password: 'the phrase of the quince' };
/** An admin of an account that demands second factors. */
const RAY: Person = { email: 'ray@umbrella.example', password: 'the phrase of Ray' };

/** The recovery codes that Pat has left. Each works once, so each sign-in takes one. */
let left: string[] | undefined;

async function addUser({ command }: World, account: string, role: string, { email, password }: Person) {
  const options = ['--account', account, '--email', email, '--name', 'Pat', '--role', role];
  await command(['user', 'create', ...options, '--password-stdin'], `${password}\n`);
}

async function accountOf({ command }: World, { email }: Person): Promise<string> {
  return `${JSON.parse(await command(['user', 'show', email, '--json'])).account_id}`;
}

/** Fills in the code that the app shows for the secret of the page. */
async function fillCode(page: Page): Promise<void> {
  await page
    .getByRole('textbox', { name: 'Code' })
    .fill(codeOf((await page.locator('#secret').textContent()) ?? ''));
}

/** Enrols Pat, if no state before this one did. */
async function enrolPat(world: World): Promise<void> {
  if (left !== undefined) return;
  await addUser(world, await accountOf(world, world.acme.admin), 'member', PAT);
  await using page = await newPage();
  await signIn(page, world, PAT);
  await page.goto(new URL(PATH, world.url).href);
  await press(page, 'Set up');
  await page.locator('#secret').waitFor();
  await fillCode(page);
  await press(page, 'Turn on');
  left = ((await page.locator('#codes').textContent()) ?? '').split('\n');
}

async function givePassword(page: Page, world: World): Promise<void> {
  await signIn(page, world, PAT);
}

/** Signs Pat in, and opens a page of the second factor. */
const asPat = (path: string) => async (page: Page, world: World) => {
  await givePassword(page, world);
  await page.getByRole('textbox', { name: 'Code' }).fill(left?.pop() ?? '');
  await press(page, 'Continue');
  await page.waitForURL((address) => address.pathname !== '/sign-in/code');
  await page.goto(new URL(path, world.url).href);
};

const again = (page: Page) => page.reload().then(() => undefined);

/** The second factor of a user, the page of its code, and the account that demands one. */
export const SECOND_FACTOR_STATES: readonly State[] = [
  { name: 'no second factor', who: 'member', path: at(PATH) },
  {
    name: 'second factor, being set up',
    who: 'member',
    path: at(PATH),
    send: (page) => press(page, 'Set up'),
  },
  {
    name: 'second factor, being set up, wrong code',
    who: 'member',
    path: at(PATH),
    status: 422,
    async earlier(page) {
      await press(page, 'Set up');
      await page.locator('#secret').waitFor();
    },
    async send(page) {
      await page.getByRole('textbox', { name: 'Code' }).fill('000000');
      await press(page, 'Turn on');
    },
  },
  {
    name: 'second factor turned on',
    who: 'visitor',
    path: at('/sign-in'),
    async before(world) {
      await addUser(world, await accountOf(world, world.acme.admin), 'member', QUINN);
    },
    async earlier(page, world) {
      await signIn(page, world, QUINN);
      await page.goto(new URL(PATH, world.url).href);
      await press(page, 'Set up');
      await page.locator('#secret').waitFor();
    },
    async send(page) {
      await fillCode(page);
      await press(page, 'Turn on');
    },
  },
  {
    name: 'code of a sign-in',
    who: 'visitor',
    path: at('/sign-in'),
    before: enrolPat,
    earlier: givePassword,
    send: again,
  },
  {
    name: 'code of a sign-in, wrong',
    who: 'visitor',
    path: at('/sign-in'),
    status: 401,
    before: enrolPat,
    earlier: givePassword,
    async send(page) {
      await page.getByRole('textbox', { name: 'Code' }).fill('000000');
      await press(page, 'Continue');
    },
  },
  ...['', '/recovery-codes', '/remove'].map(
    (page): State => ({
      name: `second factor that is on${page}`,
      who: 'visitor',
      path: at('/sign-in'),
      before: enrolPat,
      earlier: asPat(`${PATH}${page}`),
      send: again,
    }),
  ),
  {
    name: 'new recovery codes',
    who: 'visitor',
    path: at('/sign-in'),
    before: enrolPat,
    earlier: asPat(`${PATH}/recovery-codes`),
    send: (page) => press(page, 'Create recovery codes'),
  },
  {
    name: 'second factor that an account demands',
    who: 'visitor',
    path: at('/sign-in'),
    async before(world) {
      const { id } = JSON.parse(await world.command(['account', 'create', '--name', 'Umbrella', '--json']));
      await addUser(world, `${id}`, 'admin', RAY);
      await world.command(['account', 'policy', 'set', `${id}`, '--second-factor', 'admins']);
    },
    async earlier(page, world) {
      await signIn(page, world, RAY);
      await page.waitForURL(`**${PATH}`);
    },
    send: again,
  },
  { name: 'demand of second factors', who: 'admin', path: at('/settings/account/second-factor') },
  {
    name: 'demand of second factors, to a member',
    who: 'member',
    path: at('/settings/account/second-factor'),
    status: 403,
  },
];
