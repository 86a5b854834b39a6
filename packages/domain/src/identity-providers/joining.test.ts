import { expect, test } from 'vitest';
import { createProviderScene, inPerson, unwrap } from '../../testing/index.ts';
import { inviteUser, mailInvitation } from '../links/index.ts';
import { openSession } from '../sessions/index.ts';

const RULES = {
  claim: 'groups',
  rules: [
    { value: 'staff', role: 'member' },
    { value: 'boss', role: 'admin' },
  ],
} as const;

test('an invited person joins with the provider, and never has a password', async () => {
  const { world, ada, signIn, own, unlinkOwn, events } = await createProviderScene();
  const input = { email: 'noor@acme.example', name: 'Noor', role: 'member' } as const;
  const { code } = unwrap(await inviteUser(world)(inPerson(ada), input));
  const purpose = { kind: 'invitation', code } as const;
  const joined = unwrap(await signIn({ subject: 'noor', email: 'n@private.example' }, { purpose }));
  expect(joined).toMatchObject({ did: 'joined', user: { ...input, accountId: ada.accountId } });
  expect((await events(4)).map(({ action }) => action)).toEqual([
    'invitation.accepted',
    'user.created',
    'user.linked',
    'session.created',
  ]);
  const { user } = joined;
  expect(await own(user)).toMatchObject({ value: { hasPassword: false, emailProvedAt: null } });
  expect(await unlinkOwn(user)).toMatchObject({ error: { code: 'password_missing' } });
  expect(await signIn({ subject: 'noor', email: null })).toMatchObject({ value: { user: { id: user.id } } });
  const credentials = { email: user.email, address: '192.0.2.7', userAgent: null };
  for (const password of ['', 'correct horse battery'])
    expect(await openSession(world)({ ...credentials, password })).toMatchObject({
      error: { code: 'credentials_not_accepted' },
    });
});

test('the address of an invitation is proved if it is the one that the provider verified', async () => {
  const { world, ada, signIn, own } = await createProviderScene();
  const input = { email: 'Noor@acme.example', name: null, role: 'member' } as const;
  const { code } = unwrap(await inviteUser(world)(inPerson(ada), input));
  const purpose = { kind: 'invitation', code } as const;
  const joined = unwrap(await signIn({ subject: 'noor', email: 'noor@acme.example' }, { purpose }));
  expect(joined.user.name).toBe('Ada at Entra');
  expect(await own(joined.user)).toMatchObject({ value: { emailProvedAt: world.clock.now() } });
});

test('the address of a mailed invitation is proved, also if the provider knows another one', async () => {
  const { world, ada, signIn, own } = await createProviderScene();
  const input = { email: 'noor@acme.example', name: null, role: 'member' } as const;
  const { id } = unwrap(await mailInvitation(world)(inPerson(ada), input));
  const { code } = world.linkCodes.create('invitation');
  await world.invitations.renewCode(id, world.linkCodes.hashOf(code), world.clock.now());
  const purpose = { kind: 'invitation', code } as const;
  const joined = unwrap(await signIn({ subject: 'noor', email: 'n@private.example' }, { purpose }));
  expect(await own(joined.user)).toMatchObject({ value: { emailProvedAt: world.clock.now() } });
});

test('a person whom no user is becomes one, with the lowest role that the rules give', async () => {
  const scene = await createProviderScene({ roles: RULES });
  const { accountId, configure, signIn, own } = scene;
  configure({ createUsersIn: accountId });
  const person = {
    subject: 'noor',
    email: 'noor@else.example',
    name: '\u0000',
    roleValues: ['boss', 'staff'],
  };
  const joined = unwrap(await signIn(person));
  expect(joined).toMatchObject({
    did: 'joined',
    user: { accountId, email: person.email, name: 'noor', role: 'member' },
  });
  expect(await own(joined.user)).toMatchObject({
    value: { hasPassword: false, identities: [{ subject: 'noor' }] },
  });
  expect(await signIn(person)).toMatchObject({ value: { did: 'signed-in', user: { id: joined.user.id } } });
});

test('no users are created unless the settings name an account', async () => {
  const { signIn } = await createProviderScene({ roles: RULES });
  expect(await signIn({ subject: 'noor', email: 'noor@acme.example', roleValues: ['staff'] })).toMatchObject({
    error: { reason: 'identity_not_linked' },
  });
});

test('the first admin who signs in with a provider is noted in the account, and a member is not', async () => {
  const { world, accountId, signIn, mia, link, ada } = await createProviderScene();
  const { providerAdmins } = world.confirmations;
  await signIn({ subject: 'mia', email: mia.email });
  await link(ada);
  expect(providerAdmins.size).toBe(0);
  await signIn();
  const first = world.clock.now();
  world.clock.advance(1);
  await signIn();
  expect(providerAdmins.get(accountId)).toBe(first);
});
