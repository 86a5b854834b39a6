import { describe, expect, test } from 'vitest';
import { ok } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import { anEvent, aRevocation, aTokenId, givenAdmin, givenToken, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { aCredential, givenService } from '../service-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

/** The contract of every IntrospectionSource. */
export function introspectionSourceContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of IntrospectionSource`, () => {
    const store = openRepositories(open);

    /** Stores a service with a credential, and a token. */
    async function given() {
      const credential = aCredential();
      const user = await givenAdmin(store());
      const service = await givenService(store(), { credentials: [credential], openTo: [user.accountId] });
      const token = await givenToken(store(), user, { scopes: [`${service.name}:read`] });
      return { credential, service, token };
    }

    test('the service of a credential is found, with the record of the token', async () => {
      const { credential, service, token } = await given();
      await given();
      const found = await store().introspection.find(credential.hash, token.id);
      const database = expect.stringMatching(/./);
      expect(found).toEqual({ service, token: await store().tokens.findRecord(token.id), database });
      expect(found.token?.id).toBe(token.id);
      expect(found).toSatisfy(isDeeplyFrozen);
    });

    test('each of both is found without the other', async () => {
      const { credential, service, token } = await given();
      const [unknown, none] = [aCredential().hash, aTokenId()];
      const { introspection } = store();
      const { database } = await introspection.find(unknown, none);
      expect(await introspection.find(unknown, none)).toEqual({
        service: undefined,
        token: undefined,
        database,
      });
      expect(await introspection.find(credential.hash, none)).toEqual({
        service,
        token: undefined,
        database,
      });
      const withoutService = await introspection.find(unknown, token.id);
      expect(withoutService.service).toBeUndefined();
      expect(withoutService.token?.id).toBe(token.id);
    });

    test('a service is found by each of its credentials', async () => {
      const { credential, service, token } = await given();
      const other = aCredential();
      await store().services.update(
        service.name,
        (before) => ok({ ...before, credentials: [...before.credentials, other] }),
        () => anEvent(),
      );
      for (const { hash } of [credential, other]) {
        const found = await store().introspection.find(hash, token.id);
        expect(found.service).toEqual({ ...service, credentials: [credential, other] });
      }
    });

    test('a credential that has ended, and a service that was deleted, are found as such', async () => {
      const { credential, service, token } = await given();
      const at = addMilliseconds(START, 5);
      const ended = { credentials: [{ ...credential, expiresAt: at, revokedAt: at }], deletedAt: at };
      await store().services.update(
        service.name,
        (before) => ok({ ...before, ...ended }),
        () => anEvent(),
      );
      const found = await store().introspection.find(credential.hash, token.id);
      expect(found.service).toEqual({ ...service, ...ended });
    });

    test('a token that was revoked is found as revoked', async () => {
      const { credential, token } = await given();
      const find = async () => (await store().introspection.find(credential.hash, token.id)).token;
      expect((await find())?.revocation).toBeNull();
      const revocation = aRevocation();
      await store().tokens.revoke(token.id, revocation, anEvent());
      expect((await find())?.revocation).toEqual(revocation);
    });
  });
}
