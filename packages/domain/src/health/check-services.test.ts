import { beforeEach, expect, test } from 'vitest';
import { unwrap } from '../../testing/fixtures.ts';
import type { World } from '../../testing/index.ts';
import { createInstallation, DAY, findingsIn } from '../../testing/installation.ts';
import { OPERATOR } from '../../testing/world.ts';
import {
  createServiceCredential,
  revokeServiceCredential,
  rotateServiceCredential,
} from '../services/manage-service-credentials.ts';
import { createService, deleteService } from '../services/manage-services.ts';
import type { ServiceName } from '../services/service.ts';
import { addMilliseconds } from '../time/instant.ts';

const ORDERS = 'orders' as ServiceName;
let world: World;

beforeEach(async () => {
  ({ world } = await createInstallation());
  await createService(world)(OPERATOR, { name: ORDERS, description: null, openTo: 'all' });
});

/** Creates a credential that lasts this many days. */
const given = async (days: number) =>
  unwrap(await createServiceCredential(world)(OPERATOR, { service: ORDERS, expiry: { in: days * DAY } }));

test('a service that never had a credential is not reported, as behind a gateway', async () => {
  expect(await findingsIn(world)).toEqual([]);
});

test('a service whose credentials have ended is reported, until it is deleted', async () => {
  await given(1);
  const { credential } = await given(30);
  await revokeServiceCredential(world)(OPERATOR, { service: ORDERS, id: credential.id });
  world.clock.advance(DAY);
  expect(await findingsIn(world)).toEqual([{ code: 'service_credentials_ended', service: ORDERS }]);
  await deleteService(world)(OPERATOR, ORDERS);
  expect(await findingsIn(world)).toEqual([]);
});

test('a credential is reported 14 days before it ends', async () => {
  const { credential } = await given(15);
  world.clock.advance(DAY);
  expect(await findingsIn(world)).toEqual([]);
  world.clock.advance(1);
  expect(await findingsIn(world)).toEqual([
    {
      code: 'service_credential_ends',
      service: ORDERS,
      credentialId: credential.id,
      expiresAt: credential.expiresAt,
    },
  ]);
});

test('a credential that a newer one replaces is not reported, but the newer one is', async () => {
  const { credential } = await given(20);
  const rotated = await rotateServiceCredential(world)(OPERATOR, {
    service: ORDERS,
    id: credential.id,
    graceMs: 7 * DAY,
  });
  expect(await findingsIn(world)).toEqual([]);
  const successor = unwrap(rotated).credential;
  world.clock.set(addMilliseconds(successor.createdAt, 6.5 * DAY));
  expect(await findingsIn(world)).toMatchObject([{ credentialId: successor.id }]);
});

test('an older credential that lasts longer does not replace a newer one', async () => {
  await given(100);
  const { credential } = await given(2);
  expect(await findingsIn(world)).toMatchObject([{ credentialId: credential.id }]);
});
