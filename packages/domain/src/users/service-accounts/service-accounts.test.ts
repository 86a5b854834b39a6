import { beforeEach, describe, expect, test } from 'vitest';
import {
  collected,
  createWorldWithAdmins,
  exportedLines,
  givenServiceAccount,
  givenToken,
  givenUser,
  inPerson,
  linesOf,
  OPERATOR,
  PASSWORD,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { reapplyAuditEvents } from '../../audit/reapply/reapply-audit-events.ts';
import { createResetLink } from '../../links/manage-reset-links.ts';
import { err, ok } from '../../result.ts';
import { signIn } from '../../sign-in/sign-in.ts';
import { addMilliseconds } from '../../time/instant.ts';
import { setTokenPolicy } from '../../token-policy/set-token-policy.ts';
import { giveToken } from '../../tokens/administration/give-token.ts';
import { authenticateToken } from '../../tokens/authentication/authenticate-token.ts';
import { issueToken } from '../../tokens/issuing/issue-token.ts';
import { rotateToken } from '../../tokens/rotation/rotate-token.ts';
import { actAs } from '../act-as.ts';
import { disableUser } from '../change-users.ts';
import { createUser, setPassword } from '../manage-users.ts';
import type { User, UserId } from '../user.ts';
import {
  type CreateServiceAccountInput,
  createServiceAccount,
  listServiceAccounts,
  showServiceAccount,
  updateServiceAccount,
} from './manage-service-accounts.ts';

const DAY = 86_400_000;
const NOT_FOUND = err({ code: 'service_account_not_found' });

let world: World;
let ada: User;
let eve: User;
let bo: User;

beforeEach(async () => {
  ({ world, ada, eve } = await createWorldWithAdmins());
  bo = await givenUser(world, ada.accountId, { email: 'bo@acme.example' });
});

const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;
const create = (parts: Partial<CreateServiceAccountInput> = {}, caller = inPerson(ada)) => {
  const { accountId } = ada;
  const input = {
    accountId,
    name: 'ERP',
    role: 'member',
    responsible: { email: bo.email },
    ...parts,
  } as const;
  return createServiceAccount(world)(caller, input);
};
const issue = (owner: UserId, parts: object = {}) =>
  issueToken(world)(inPerson(ada), { owner, name: 'ERP', format: 'paseto', scopes: ['*'], ...parts });

describe('an admin', () => {
  test('makes service accounts of the own account, with a person who answers, and each is recorded', async () => {
    const made = unwrap(await create({ description: ' posts orders ' }));
    expect(made).toMatchObject({ description: 'posts orders', responsible: bo, createdBy: { id: ada.id } });
    expect(await newestEvent()).toMatchObject({
      action: 'user.created',
      subject: { type: 'user', id: String(made.user.id) },
      actor: { kind: 'user', id: ada.id },
      details: { kind: 'service', name: 'ERP', role: 'member', responsible: bo.email },
    });
    expect(await create({ accountId: eve.accountId })).toEqual(err({ code: 'account_not_found' }));
    for (const email of [eve.email, 'unknown@acme.example'])
      expect(await create({ responsible: { email } })).toEqual(err({ code: 'responsible_not_fit' }));
    expect(await create({ name: ' ' })).toMatchObject({ error: { problems: [{ field: 'name' }] } });
    expect(await create({ description: 'x'.repeat(501) })).toMatchObject({
      error: { problems: [{ field: 'description' }] },
    });
    expect(await create({}, inPerson({ ...ada, role: 'member' }))).toEqual(err({ code: 'not_allowed' }));
  });

  test('sees and changes those of the own account only', async () => {
    const { user } = unwrap(await create());
    const foreign = await givenServiceAccount(world, eve);
    const caller = inPerson(ada);
    const list = async () =>
      (await collected(unwrap(await listServiceAccounts(world)(caller, {}))))
        .flat()
        .map((each) => each.user.id);
    expect(await list()).toEqual([user.id]);
    expect(await showServiceAccount(world)(caller, user.id)).toMatchObject(ok({ user }));
    expect(await showServiceAccount(world)(caller, foreign.user.id)).toEqual(NOT_FOUND);
    const update = updateServiceAccount(world);
    expect(await update(caller, { id: foreign.user.id, name: 'x' })).toEqual(NOT_FOUND);
    expect(await update(caller, { id: user.id, name: 'CRM', responsible: { id: ada.id } })).toMatchObject(
      ok({ after: { user: { name: 'CRM' }, responsible: ada } }),
    );
    expect((await newestEvent())?.details).toMatchObject({
      name: 'CRM',
      former_name: 'ERP',
      responsible: ada.email,
      former_responsible: bo.email,
    });
    expect(await update(caller, { id: user.id, responsible: { email: eve.email } })).toEqual(
      err({ code: 'responsible_not_fit' }),
    );
  });

  test('makes none while a program of an older edition, which would count it as an admin, is connected', async () => {
    const programs = [{ application: 'gatehouse 30', connections: 1 }];
    const editions = { findOlder: async () => programs };
    const made = await createServiceAccount({ ...world, editions })(OPERATOR, {
      accountId: ada.accountId,
      name: 'ERP',
      role: 'admin',
      responsible: { email: bo.email },
    });
    expect(made).toEqual(err({ code: 'older_edition_serves', programs }));
  });
});

test('a service account can neither sign in nor act in person, and gets neither a password nor a link', async () => {
  const { user } = unwrap(await create({ role: 'admin' }));
  const { email } = user;
  const ports = { ...world, format: 'paseto', lifetimeMs: DAY } as const;
  expect(await signIn(ports)({ email, password: PASSWORD, address: '203.0.113.1' })).toEqual(
    err({ code: 'credentials_not_accepted' }),
  );
  expect(await actAs(world)(email, OPERATOR)).toEqual(err({ code: 'not_allowed' }));
  const notFound = err({ code: 'user_not_found' });
  expect(await setPassword(world)(OPERATOR, { email, password: PASSWORD })).toEqual(notFound);
  expect(await createResetLink(world)(OPERATOR, { email })).toEqual(notFound);
  expect(await createResetLink(world)(inPerson(ada), { id: user.id })).toEqual(notFound);
  for (const taken of [email, 'erp@SERVICE.invalid'])
    expect(await createUser(world)(OPERATOR, { ...ada, email: taken, password: PASSWORD })).toMatchObject({
      error: { code: 'invalid_input', problems: [{ field: 'email' }] },
    });
});

describe('a token of a service account', () => {
  test('is made by an admin, by the rules for service accounts, and acts as the service account', async () => {
    const { user } = unwrap(await create());
    const { accountId } = ada;
    const service = { defaultLifetimeMs: DAY, maxLifetimeMs: 2 * DAY };
    unwrap(await setTokenPolicy(world)(inPerson(ada), { accountId, changes: { service } }));
    const issued = unwrap(await issue(user.id));
    expect(issued.record).toMatchObject({
      userId: user.id,
      subject: user.id,
      expiresAt: addMilliseconds(START, DAY),
    });
    expect(await newestEvent()).toMatchObject({
      action: 'token.created',
      actor: { kind: 'user', id: ada.id },
      details: { user_id: user.id },
    });
    const caller = await authenticateToken(world)(issued.secret, '203.0.113.1');
    expect(caller).toMatchObject({ kind: 'user', userId: user.id, role: 'member', token: { user } });
    expect(await issue(user.id, { name: 'b', expiry: { in: 3 * DAY } })).toEqual(
      err({ code: 'lifetime_not_allowed', holder: 'service', maxLifetimeMs: 2 * DAY }),
    );
    unwrap(
      await setTokenPolicy(world)(inPerson(ada), {
        accountId,
        changes: { service: { maxLifetimeMs: DAY / 2 } },
      }),
    );
    expect(await rotateToken(world)(inPerson(ada), { id: issued.record.id, graceMs: 0 })).toMatchObject(
      ok({ isShortened: true, record: { userId: user.id, expiresAt: addMilliseconds(START, DAY / 2) } }),
    );
  });

  test('is made for no person, no other account and no disabled service account', async () => {
    const foreign = await givenServiceAccount(world, eve);
    for (const owner of [bo.id, foreign.user.id, 999_999 as UserId])
      expect(await issue(owner)).toEqual(NOT_FOUND);
    const { user } = unwrap(await create());
    unwrap(await disableUser(world)(inPerson(ada), { id: user.id, reason: null, transferTo: null }));
    expect(await issue(user.id)).toEqual(err({ code: 'creator_not_fit' }));
  });

  test('can be one that a person had, which keeps its secret and its subject', async () => {
    const { user } = unwrap(await create());
    const { secret, record } = unwrap(
      await issueToken(world)(inPerson(ada), { name: 'ERP', format: 'paseto', scopes: ['*'] }),
    );
    const give = giveToken(world);
    expect(await give(inPerson(eve), { id: record.id, to: { id: user.id } })).toEqual(
      err({ code: 'token_not_found' }),
    );
    expect(await give(inPerson(ada), { id: record.id, to: { id: eve.id } })).toEqual(
      err({ code: 'transfer_target_not_fit' }),
    );
    expect(await give(inPerson(ada), { id: record.id, to: { id: user.id } })).toMatchObject(
      ok({ from: ada, to: user, token: { userId: user.id, subject: ada.id, name: 'ERP' } }),
    );
    expect(await newestEvent()).toMatchObject({
      action: 'token.transferred',
      details: { from_user_id: ada.id, to_user_id: user.id },
    });
    const caller = await authenticateToken(world)(secret, '203.0.113.1');
    expect(caller).toMatchObject({ kind: 'user', userId: user.id, role: 'member' });
  });
});

test('disabling a person divides the tokens, and asks about each service account', async () => {
  const { user } = unwrap(await create());
  const [erp, wiki] = [await givenToken(world, bo), await givenToken(world, bo)];
  const disable = (parts: object) =>
    disableUser(world)(inPerson(ada), { id: bo.id, reason: null, transferTo: null, ...parts });
  expect(await disable({})).toEqual(
    err({ code: 'service_accounts_undecided', undecided: [{ id: user.id, name: 'ERP' }] }),
  );
  const tokens = new Map([[erp.id, user.id]]);
  const serviceAccounts = new Map([[user.id, { giveTo: ada.id }]]);
  expect(await disable({ tokens, serviceAccounts })).toMatchObject(
    ok({ transferred: 1, revoked: 1, serviceAccounts: { given: 1, left: 0 } }),
  );
  expect((await world.tokens.findRecord(wiki.id))?.revocation).not.toBeNull();
});

test('a service account that was disabled is disabled again after a restore, but not another one with its id', async () => {
  const { user } = unwrap(await create());
  await exportedLines(world);
  const restored = { ...world, ...world.backUp() };
  unwrap(await disableUser(world)(inPerson(ada), { id: user.id, reason: null, transferTo: null }));
  expect((await newestEvent())?.details).toMatchObject({ kind: 'service', name: 'ERP' });
  const lines = await exportedLines(world);
  const reapply = async (ports: World) => {
    const exported = linesOf(lines);
    const { reapply: make } = unwrap(await reapplyAuditEvents(ports)(OPERATOR, { exported }));
    return (await collected(make())).map(({ outcome }) => outcome);
  };
  const another = { ...user, createdAt: addMilliseconds(user.createdAt, 1) };
  const users = { ...restored.users, findById: async () => another };
  expect(await reapply({ ...restored, users })).toEqual(['unknown']);
  expect(await reapply(restored)).toEqual(['done']);
  expect((await restored.users.findById(user.id))?.disabledAt).not.toBeNull();
});

test('a person who answered is disabled again after a restore, and leaves the service accounts', async () => {
  const { user } = unwrap(await create());
  await exportedLines(world);
  const restored = { ...world, ...world.backUp() };
  const decided = { serviceAccounts: 'leave' } as const;
  unwrap(await disableUser(world)(OPERATOR, { email: bo.email, reason: null, transferTo: null, ...decided }));
  const exported = linesOf(await exportedLines(world));
  const { reapply } = unwrap(await reapplyAuditEvents(restored)(OPERATOR, { exported }));
  expect((await collected(reapply())).map(({ outcome }) => outcome)).toEqual(['done']);
  expect((await restored.serviceAccounts.find(user.id))?.user.disabledAt).toBeNull();
});
