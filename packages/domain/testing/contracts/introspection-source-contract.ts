import { describe, expect, test } from 'vitest';
import { ok } from '../../src/index.ts';
import type { Service } from '../../src/services/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import { anEvent, aRevocation, aTokenId, givenAdmin, givenToken, START } from '../fixtures.ts';
import type { OpenRepositories, RecordedRepositories } from '../repositories.ts';
import { aCredential, givenService } from '../service-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

/** The contract of every IntrospectionSource. */
export function introspectionSourceContract(
  name: string,
  open: OpenRepositories<RecordedRepositories>,
): void {
  describe(`${name} keeps the contract of IntrospectionSource`, () => {
    const store = openRepositories(open);

    /** Stores a service with a credential, and a token. */
    async function given() {
      const credential = aCredential();
      const user = await givenAdmin(store());
      const service = await givenService(store(), { credentials: [credential], openTo: [user.accountId] });
      const token = await givenToken(store(), user, { scopes: [`${service.name}:read`] });
      const deciding = {
        name: service.name,
        deletedAt: null,
        openTo: [user.accountId],
        scopes: service.scopes.map(({ name, removedAt }) => ({ name, removedAt })),
        credentials: [credential],
      };
      return { credential, service, deciding, token };
    }

    test('the service of a credential is found, with the record of the token', async () => {
      const { credential, deciding, token } = await given();
      await given();
      const found = await store().introspection.find(credential.hash, token.id);
      const database = expect.stringMatching(/./);
      expect(found).toEqual({
        service: deciding,
        tokens: [await store().tokens.findRecord(token.id)],
        database,
      });
      expect(found.tokens[0]?.id).toBe(token.id);
      expect(found).toSatisfy(isDeeplyFrozen);
    });

    test('each of both is found without the other', async () => {
      const { credential, deciding, token } = await given();
      const [unknown, none] = [aCredential().hash, aTokenId()];
      const { introspection } = store();
      const { database } = await introspection.find(unknown, none);
      expect(await introspection.find(unknown, none)).toEqual({
        service: undefined,
        tokens: [],
        database,
      });
      expect(await introspection.find(credential.hash, none)).toEqual({
        service: { ...deciding, openTo: [] },
        tokens: [],
        database,
      });
      const withoutService = await introspection.find(unknown, token.id);
      expect(withoutService.service).toBeUndefined();
      expect(withoutService.tokens[0]?.id).toBe(token.id);
    });

    test('a service is open to all accounts, or is read with those of the tokens only', async () => {
      const { credential, service, deciding, token } = await given();
      const open = async (openTo: Service['openTo']) => {
        await store().services.update(
          service.name,
          (before) => ok({ ...before, openTo }),
          () => anEvent(),
        );
        return (await store().introspection.find(credential.hash, token.id)).service?.openTo;
      };
      const other = await givenAdmin(store());
      expect(await open('all')).toBe('all');
      expect(await open([...deciding.openTo, other.accountId])).toEqual(deciding.openTo);
      expect(await open([other.accountId])).toEqual([]);
    });

    test('a service is found by each of its credentials, with that one only', async () => {
      const { credential, service, deciding, token } = await given();
      const other = aCredential();
      await store().services.update(
        service.name,
        (before) => ok({ ...before, credentials: [...before.credentials, other] }),
        () => anEvent(),
      );
      for (const asked of [credential, other]) {
        const found = await store().introspection.find(asked.hash, token.id);
        expect(found.service).toEqual({ ...deciding, credentials: [asked] });
      }
    });

    test('a credential that has ended, and a service that was deleted, are found as such', async () => {
      const { credential, service, deciding, token } = await given();
      const at = addMilliseconds(START, 5);
      const ended = { credentials: [{ ...credential, expiresAt: at, revokedAt: at }], deletedAt: at };
      await store().services.update(
        service.name,
        (before) => ok({ ...before, ...ended }),
        () => anEvent(),
      );
      const found = await store().introspection.find(credential.hash, token.id);
      expect(found.service).toEqual({ ...deciding, ...ended });
    });

    test('a token that was revoked is found as revoked', async () => {
      const { credential, token } = await given();
      const find = async () => (await store().introspection.find(credential.hash, token.id)).tokens[0];
      expect((await find())?.revocation).toBeNull();
      const revocation = aRevocation();
      await store().tokens.revoke(token.id, revocation, anEvent());
      expect((await find())?.revocation).toEqual(revocation);
    });

    test('of several tokens, those are found that were used at the service, each once', async () => {
      const { credential, service, deciding, token } = await given();
      const user = await givenAdmin(store());
      const [unused, elsewhere] = [await givenToken(store(), user), await givenToken(store(), user)];
      const { service: other } = await given();
      const recorder = store().usage;
      recorder.used(token.id, START, undefined, { name: service.name, from: undefined });
      recorder.used(elsewhere.id, START, undefined, { name: other.name, from: undefined });
      await recorder.flush();
      const ids = [unused.id, token.id, aTokenId(), token.id, elsewhere.id];
      const found = await store().introspection.findUsed(credential.hash, ids);
      expect(found.service).toEqual(deciding);
      expect(new Set(found.tokens.map(({ id }) => id))).toEqual(new Set([token.id]));
      expect(found.database).toEqual(expect.stringMatching(/./));
      const none = await store().introspection.findUsed(credential.hash, [unused.id]);
      expect(none).toMatchObject({ service: { name: service.name, openTo: [] }, tokens: [] });
    });
  });
}
