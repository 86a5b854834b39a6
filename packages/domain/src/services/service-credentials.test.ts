import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createWorld, givenService, OPERATOR, START, unwrap, type World } from '../../testing/index.ts';
import { err } from '../result.ts';
import { addMilliseconds } from '../time/instant.ts';
import { type AuthenticateService, authenticateService } from './authenticate-service.ts';
import {
  createServiceCredential,
  listServiceCredentials,
  revokeServiceCredential,
  rotateServiceCredential,
} from './manage-service-credentials.ts';
import { deleteService } from './manage-services.ts';
import type { Service } from './service.ts';
import type { CredentialId } from './service-credential.ts';

const DAY_MS = 86_400_000;
const REFUSED = { kind: 'refused', reason: 'credential_not_accepted' };

describe('a credential of a service', () => {
  let world: World;
  let orders: Service;
  let authenticate: AuthenticateService;

  beforeEach(async () => {
    world = await createWorld();
    orders = await givenService(world);
    authenticate = authenticateService(world);
  });

  const create = async (expiry: 'never' | { in: number } = 'never') =>
    unwrap(await createServiceCredential(world)(OPERATOR, { service: orders.name, expiry }));
  const rotate = (id: CredentialId, graceMs?: number) =>
    rotateServiceCredential(world)(OPERATOR, { service: orders.name, id, graceMs });
  const revoke = (id: CredentialId) => revokeServiceCredential(world)(OPERATOR, { service: orders.name, id });

  test('proves which service calls, with or without its name', async () => {
    const { secret, credential } = await create();
    const caller = { kind: 'service', service: orders.name, credential: credential.hash, origin: '10.0.0.1' };
    expect(await authenticate(secret, '10.0.0.1')).toEqual(caller);
    expect(await authenticate(secret, '10.0.0.1', orders.name)).toEqual(caller);
    expect(await authenticate(secret, '10.0.0.1', 'stock')).toEqual(REFUSED);
    expect(await authenticate(secret, '10.0.0.1', '')).toEqual(REFUSED);
  });

  test('is refused if it is unknown, and malformed ones cause no read', async () => {
    const list = vi.spyOn(world.services, 'list');
    expect(await authenticate(`ghs_${'x'.repeat(43)}`, 'test')).toEqual(REFUSED);
    expect(list).toHaveBeenCalledOnce();
    for (const text of ['', 'x', 'v4.public.x', 'ghs_', `ghs_${'x'.repeat(44)}`])
      expect(await authenticate(text, 'test')).toEqual(REFUSED);
    expect(list).toHaveBeenCalledOnce();
  });

  test('is refused from its expiry on', async () => {
    const { secret } = await create({ in: 60_000 });
    world.clock.advance(59_999);
    expect(await authenticate(secret, 'test')).toMatchObject({ kind: 'service' });
    world.clock.advance(1);
    expect(await authenticate(secret, 'test')).toEqual(REFUSED);
  });

  test('is refused once it is revoked, or its service is deleted', async () => {
    const [one, other] = [await create(), await create()];
    expect(unwrap(await revoke(one.credential.id))).toMatchObject({ already: false });
    expect(unwrap(await revoke(one.credential.id))).toMatchObject({ already: true });
    expect(await authenticate(one.secret, 'test')).toEqual(REFUSED);
    expect(await authenticate(other.secret, 'test')).toMatchObject({ kind: 'service' });
    unwrap(await deleteService(world)(OPERATOR, orders.name));
    expect(await authenticate(other.secret, 'test')).toEqual(REFUSED);
    expect(await revoke('01999999-0000-7000-a000-999999999999' as CredentialId)).toEqual(
      err({ code: 'service_not_found' }),
    );
  });

  test('that is rotated works until its grace period ends, and its successor lives as long as it did', async () => {
    const first = await create({ in: 90 * DAY_MS });
    world.clock.advance(10 * DAY_MS);
    const second = unwrap(await rotate(first.credential.id, 60_000));
    const now = world.clock.now();
    expect(second.credential.expiresAt).toBe(addMilliseconds(now, 90 * DAY_MS));
    expect(second.replaced).toMatchObject({
      id: first.credential.id,
      expiresAt: addMilliseconds(now, 60_000),
    });
    for (const { secret } of [first, second])
      expect(await authenticate(secret, 'test')).toMatchObject({ kind: 'service' });
    world.clock.advance(60_000);
    expect(await authenticate(first.secret, 'test')).toEqual(REFUSED);
    expect(await authenticate(second.secret, 'test')).toMatchObject({ kind: 'service' });
    expect(await rotate(first.credential.id)).toEqual(err({ code: 'credential_ended' }));
  });

  test('that was rotated is not rotated again, and its successor is', async () => {
    const first = await create();
    const second = unwrap(await rotate(first.credential.id, 60_000));
    expect(await rotate(first.credential.id)).toEqual(
      err({ code: 'credential_replaced', successorId: second.credential.id }),
    );
    expect(unwrap(await rotate(second.credential.id)).credential.expiresAt).toBeNull();
  });

  test.each([
    [-1, 'must not be negative'],
    [0.5, 'must be a whole number of milliseconds'],
    [367 * DAY_MS, 'must be at most 366 days'],
  ])('is not rotated with a grace period of %d ms', async (graceMs, message) => {
    const { credential } = await create();
    expect(await rotate(credential.id, graceMs)).toEqual(
      err({ code: 'invalid_input', problems: [{ field: 'grace', message }] }),
    );
  });

  test('that is rotated never works longer than it would have', async () => {
    const first = await create({ in: 1000 });
    unwrap(await rotate(first.credential.id));
    world.clock.advance(1000);
    expect(await authenticate(first.secret, 'test')).toEqual(REFUSED);
  });

  test('is listed with its last use, and its secret is stored nowhere', async () => {
    const { secret, credential } = await create();
    await authenticate(secret, 'test');
    await world.usage.flush();
    const listed = unwrap(await listServiceCredentials(world)(OPERATOR, orders.name));
    expect(listed).toMatchObject([{ id: credential.id, lastUsedAt: START }]);
    const events = await world.audit.list({ limit: 10 });
    expect(JSON.stringify([listed, events, await world.services.list()])).not.toContain(secret.slice(4));
  });
});
