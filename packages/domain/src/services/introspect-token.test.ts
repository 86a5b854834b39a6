import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  apiToken,
  aRevocation,
  aServiceScope,
  createWorldWithAdmins,
  givenPerson,
  givenService,
  inPerson,
  OPERATOR,
  revoke,
  signInToken,
  unwrap,
  type World,
} from '../../testing/index.ts';
import type { ServiceCaller } from '../access/index.ts';
import { err, ok } from '../result.ts';
import { activateKey, createKey, retireKey } from '../signing-keys/manage-keys.ts';
import { issueToken } from '../tokens/issuing/issue-token.ts';
import { disableUser } from '../users/change-users.ts';
import type { User } from '../users/user.ts';
import { authenticateService } from './authenticate-service.ts';
import { introspectToken } from './introspect-token.ts';
import { createServiceCredential, revokeServiceCredential } from './manage-service-credentials.ts';
import { removeServiceScope } from './manage-service-scopes.ts';
import { updateService } from './manage-services.ts';
import type { ServiceName } from './service.ts';
import { verifyScope } from './verify-scope.ts';

const ORDERS = 'orders' as ServiceName;

describe('a token at a service', () => {
  let world: World;
  let ada: User;
  let eve: User;
  let service: ServiceCaller;

  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    await givenService(world, {
      name: ORDERS,
      scopes: [aServiceScope('orders:read'), aServiceScope('orders:write')],
    });
    await givenService(world, { name: 'stock' as ServiceName });
    service = await callerOf(ORDERS);
  });

  async function callerOf(name: ServiceName): Promise<ServiceCaller> {
    const { secret } = unwrap(
      await createServiceCredential(world)(OPERATOR, { service: name, expiry: 'never' }),
    );
    const caller = await authenticateService(world)(secret, '10.9.9.9');
    return caller.kind === 'service' ? caller : expect.fail(caller.reason);
  }

  const introspect = (token: string, clientAddress?: string) =>
    introspectToken(world)(service, { token, clientAddress });
  const introspected = async (token: string) =>
    (await introspect(token).then(unwrap))?.caller.token ?? expect.fail();
  const tokenWith = (...scopes: readonly ('*' | `${string}:${string}`)[]) => apiToken(world, ada, { scopes });

  test('is active with exactly the scopes that it has there', async () => {
    const { secret, record } = await tokenWith('*', 'orders:write', 'stock:read');
    expect(await introspect(secret)).toMatchObject({
      ok: true,
      value: { scopes: ['orders:write'], caller: { userId: ada.id, token: { id: record.id } } },
    });
  });

  test('is inactive, by the same reads, for every reason but a signature that is not valid', async () => {
    const find = vi.spyOn(world.introspection, 'find');
    const revoked = await tokenWith('orders:read');
    await revoke(world, ada, revoked.record.id);
    const expired = await apiToken(world, ada, { scopes: ['orders:read'], expiry: { in: 1000 } });
    const tokens = [
      revoked.secret,
      expired.secret,
      (await tokenWith('*')).secret,
      (await tokenWith('stock:read')).secret,
      await signInToken(world, ada),
    ];
    world.clock.advance(1000);
    for (const [index, token] of tokens.entries()) {
      expect(await introspect(token)).toEqual(ok(undefined));
      expect(find).toHaveBeenCalledTimes(index + 1);
    }
    expect(await introspect(`${tokens[0]}x`)).toEqual(ok(undefined));
    expect(find).toHaveBeenCalledTimes(tokens.length);
  });

  test('is inactive once its scope is removed or the service is closed to its account', async () => {
    const { secret } = await tokenWith('orders:read');
    expect(await introspect(secret)).toMatchObject({ value: { scopes: ['orders:read'] } });
    unwrap(await updateService(world)(OPERATOR, { name: ORDERS, openTo: { only: [eve.accountId] } }));
    expect(await introspect(secret)).toEqual(ok(undefined));
    unwrap(await updateService(world)(OPERATOR, { name: ORDERS, openTo: 'all' }));
    unwrap(await removeServiceScope(world)(OPERATOR, 'orders:read'));
    expect(await introspect(secret)).toEqual(ok(undefined));
  });

  test('counts as used at the service, from the address that the service says, and as refused', async () => {
    const { secret, record } = await tokenWith('orders:read');
    await introspect(secret, '10.0.0.7');
    await world.usage.flush();
    expect(await world.tokens.findUsage(record.id)).toMatchObject({
      lastUsedAt: world.clock.now(),
      usedFrom: [],
      usedAt: [{ service: ORDERS, from: '10.0.0.7' }],
    });
    const other = await tokenWith('stock:read');
    await introspect(other.secret, '10.0.0.8');
    await world.usage.flush();
    expect(await world.tokens.findUsage(other.record.id)).toMatchObject({
      lastUsedAt: null,
      usedAt: [],
      // An address that a service invents must not take the place of one that Gatehouse saw.
      lastRefusal: { reason: 'insufficient_scope', from: null },
    });
  });

  test('that was revoked or has expired counts as refused', async () => {
    const revoked = await tokenWith('orders:read');
    await revoke(world, ada, revoked.record.id);
    const expired = await apiToken(world, ada, { scopes: ['orders:read'], expiry: { in: 1000 } });
    world.clock.advance(1000);
    for (const { secret } of [revoked, expired]) await introspect(secret);
    await world.usage.flush();
    for (const [{ record }, reason] of [
      [revoked, 'revoked'],
      [expired, 'expired'],
    ] as const)
      expect((await world.tokens.findUsage(record.id)).lastRefusal).toMatchObject({ reason });
  });

  test('is inactive while its owner is disabled, and after its signing key was retired', async () => {
    const { secret } = await tokenWith('orders:read');
    const second = await givenPerson(world, { accountId: ada.accountId, email: 'second@acme.example' });
    const other = await apiToken(world, second, { scopes: ['orders:read'] });
    expect(await introspected(other.secret)).toMatchObject({ id: other.record.id });
    unwrap(await world.users.disable(second.id, aRevocation(), anEvent()));
    expect(await introspect(other.secret)).toEqual(ok(undefined));
    const { keyId } = (await world.tokens.find((await introspected(secret)).id)) ?? expect.fail();
    const next = unwrap(await createKey(world)(OPERATOR, 'paseto'));
    unwrap(await activateKey({ ...world, maxStalenessMs: 0 })(OPERATOR, next.id));
    unwrap(await retireKey(world)(OPERATOR, { id: keyId, revokeTokens: true }));
    expect(await introspect(secret)).toEqual(ok(undefined));
  });

  test('that got another owner is described with its new owner', async () => {
    const { secret, record } = await tokenWith('orders:read');
    const heir = await givenPerson(world, { accountId: ada.accountId, email: 'heir@acme.example' });
    const transfer = { email: ada.email, reason: null, transferTo: heir.email };
    unwrap(await disableUser(world)(OPERATOR, transfer));
    expect(await introspected(secret)).toMatchObject({
      id: record.id,
      user: { id: heir.id },
      subject: ada.id,
    });
  });

  test('is not described if the credential of the service ended after the memory of services was read', async () => {
    const { secret } = await tokenWith('orders:read');
    const { credentials } =
      (await world.services.list()).find(({ name }) => name === ORDERS) ?? expect.fail();
    for (const { id } of credentials)
      unwrap(await revokeServiceCredential(world)(OPERATOR, { service: ORDERS, id }));
    expect(await introspect(secret)).toEqual(err({ code: 'token_not_accepted' }));
  });

  test('is described to services only', async () => {
    const introspection = introspectToken(world);
    for (const caller of [inPerson(ada), OPERATOR])
      expect(await introspection(caller as never, { token: 'x' })).toEqual(err({ code: 'not_allowed' }));
    expect(await issueToken(world)(service as never, {} as never)).toEqual(err({ code: 'not_allowed' }));
  });

  test('has one of the scopes that a gateway asks about, or is refused with that scope', async () => {
    const { secret, record } = await tokenWith('orders:read');
    const introspected = await introspect(secret);
    const caller = introspected.ok && introspected.value ? introspected.value.caller : expect.fail();
    const verify = verifyScope(world);
    expect(await verify(caller, 'orders:read')).toMatchObject({
      ok: true,
      value: { scopes: ['orders:read'] },
    });
    for (const scope of ['orders:write', 'stock:read', 'orgs:read', 'gone:read'] as const)
      expect(await verify(caller, scope)).toEqual(err({ code: 'insufficient_scope', scope }));
    expect(await verify({ kind: 'refused', reason: 'revoked' }, 'orders:read')).toEqual(
      err({ code: 'token_not_accepted' }),
    );
    await world.usage.flush();
    expect((await world.tokens.findUsage(record.id)).usedAt).toMatchObject([{ service: ORDERS }]);
  });

  test('gets scopes of services that are open to its account, and no others', async () => {
    unwrap(await updateService(world)(OPERATOR, { name: ORDERS, openTo: { only: [ada.accountId] } }));
    const issue = (user: User, ...scopes: readonly string[]) =>
      issueToken(world)(inPerson(user), {
        name: `For ${scopes}`.trim(),
        format: 'paseto',
        scopes,
        expiry: 'never',
      });
    expect(await issue(ada, 'orders:*', 'me:read', 'me:read')).toMatchObject({
      value: { record: { scopes: ['me:read', 'orders:*'] } },
    });
    const message = 'must be one of *, me:read, orgs:read, stock:*, stock:read';
    for (const scopes of [['orders:read'], ['orders:*'], ['gone:read'], []])
      expect(await issue(eve, ...scopes)).toEqual(
        err({ code: 'invalid_input', problems: [{ field: 'scope', message }] }),
      );
    const member = await givenPerson(world, {
      accountId: ada.accountId,
      email: 'm@acme.example',
      role: 'member',
    });
    expect(await issue(member, 'orders:read')).toEqual(err({ code: 'not_allowed' }));
  });
});
