import { signIn } from '../../index.ts';
import { forgetPassword } from '../forget-password.ts';
import { inDatabase } from '../in-database.ts';
import { LONG_LABEL } from '../provider-world.ts';
import {
  aboutOverdue,
  addUser,
  admin,
  confirmedUntil,
  enterCode,
  enterWith,
  METHODS,
  member,
  ofJoined,
  ofLinked,
  ofPassword,
  type ProviderState,
  RETURN,
  stay,
} from './provider-people.ts';
import { at, press } from './state.ts';

/** The pages of a server with three providers. */
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
    earlier: (page, world) => world.be(page, 'unknown', 'unknown@other.example'),
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

/** The pages of a server with one provider, which accepts passwords in emergencies only. */
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

/** The pages of a server with one provider, which accepts passwords. */
export const ONE_PROVIDER_STATES: readonly ProviderState[] = [
  { name: 'sign-in, with one provider', who: 'visitor', path: at('/sign-in') },
];
