import { beforeEach, describe, expect, test } from 'vitest';
import {
  apiToken,
  aServiceScope,
  createWorldWithAdmins,
  givenService,
  inPerson,
  OPERATOR,
  revoke,
  unwrap,
  type World,
} from '../../testing/index.ts';
import type { ServiceCaller } from '../access/index.ts';
import { err, ok } from '../result.ts';
import type { User } from '../users/user.ts';
import { authenticateService } from './authenticate-service.ts';
import { introspectToken } from './introspect-token.ts';
import { createServiceCredential, revokeServiceCredential } from './manage-service-credentials.ts';
import { removeServiceScope } from './manage-service-scopes.ts';
import { refreshTokens } from './refresh-tokens.ts';
import type { ServiceName } from './service.ts';

const ORDERS = 'orders' as ServiceName;

describe('tokens that a service introspected', () => {
  let world: World;
  let ada: User;
  let service: ServiceCaller;

  beforeEach(async () => {
    ({ world, ada } = await createWorldWithAdmins());
    await givenService(world, { name: ORDERS, scopes: [aServiceScope('orders:read')] });
    const made = await createServiceCredential(world)(OPERATOR, { service: ORDERS, expiry: 'never' });
    const caller = await authenticateService(world)(unwrap(made).secret, '10.9.9.9');
    service = caller.kind === 'service' ? caller : expect.fail(caller.reason);
  });

  /** Issues a token that the service has introspected. */
  async function introspected() {
    const { secret, record } = await apiToken(world, ada, { scopes: ['orders:read'] });
    const active = unwrap(await introspectToken(world)(service, { token: secret }));
    await world.usage.flush();
    return { id: record.id, active };
  }
  const refresh = (...ids: Parameters<ReturnType<typeof refreshTokens>>[1]) =>
    refreshTokens(world)(service, ids);

  test('are decided again as introspection does, in the order of the ids', async () => {
    const [one, other] = [await introspected(), await introspected()];
    expect(await refresh(other.id, one.id)).toEqual(ok([other.active, one.active]));
    await revoke(world, ada, one.id);
    expect(await refresh(other.id, one.id)).toEqual(ok([other.active, undefined]));
    unwrap(await removeServiceScope(world)(OPERATOR, 'orders:read'));
    expect(await refresh(other.id)).toEqual(ok([undefined]));
  });

  test('are the only ones: the id of another token tells nothing', async () => {
    const { record } = await apiToken(world, ada, { scopes: ['orders:read'] });
    expect(await refresh(record.id)).toEqual(ok([undefined]));
  });

  test('are not used by it', async () => {
    const { id } = await introspected();
    const before = await world.tokens.findUsage(id);
    world.clock.advance(5000);
    await refresh(id);
    await world.usage.flush();
    expect(await world.tokens.findUsage(id)).toEqual(before);
  });

  test('are described to services with a credential that is accepted', async () => {
    const { id } = await introspected();
    const [service] = (await world.services.list()).filter(({ name }) => name === ORDERS);
    for (const credential of service?.credentials ?? [])
      unwrap(await revokeServiceCredential(world)(OPERATOR, { service: ORDERS, id: credential.id }));
    expect(await refresh(id)).toEqual(err({ code: 'token_not_accepted' }));
    expect(await refreshTokens(world)(inPerson(ada) as never, [id])).toEqual(err({ code: 'not_allowed' }));
  });
});
