import { ok } from '@gatehouse/domain';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  givenAccount,
  givenAdmins,
  givenMember,
  givenOrganization,
  givenService,
  givenToken,
  START,
} from '@gatehouse/domain/testing';
import type { PasswordHash } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-store.ts';
import { createPostgresRepositories } from '../../repositories.ts';
import { openDatabase } from '../database.ts';

describe('a server that acknowledges before it has written', async () => {
  const opened = await openTestDatabase();
  // Records the setting at the commit of the transaction.
  await sql`
    create table commits (synchronous text not null);
    create function note_commit() returns trigger language plpgsql as $$
    begin
      insert into commits values (current_setting('synchronous_commit'));
      return null;
    end $$;
    create constraint trigger note_commit after insert on audit_events
      deferrable initially deferred for each row execute function note_commit();
    alter database ${sql.id(new URL(opened.url).pathname.slice(1))} set synchronous_commit to off;
  `.execute(opened.database.queries);
  const database = openDatabase({ url: opened.url, poolSize: 2 });
  const store = createPostgresRepositories(database);
  const [admin] = await givenAdmins(store);
  const token = await givenToken(store, admin);
  const key = aSigningKey({ state: 'verify-only', activatedAt: START });
  await store.signingKeys.insert(key, anEvent());
  afterAll(async () => {
    await database.close();
    await opened.close();
  });

  const commitsOf = async (change: () => Promise<unknown>) => {
    await sql`truncate commits`.execute(database.queries);
    await change();
    const { rows } = await sql<{ synchronous: string }>`select distinct synchronous from commits`.execute(
      database.queries,
    );
    return rows.map((row) => row.synchronous);
  };

  test('writes first what ends tokens', async () => {
    const { accounts, users, tokens, signingKeys } = store;
    const [revocation, event] = [aRevocation(), anEvent()];
    for (const change of [
      () => tokens.revoke(token.id, revocation, event),
      () => users.setPassword(admin.id, 'h' as PasswordHash, revocation, event),
      () => signingKeys.retire(key.id, START, null, event),
      () => accounts.suspend(admin.accountId, START, event),
      () => users.setRole(admin.id, 'member', () => event),
      () => users.disable(admin.id, revocation, event),
    ]) {
      expect(await commitsOf(change), `${change}`).toEqual(['on']);
    }
  });

  test('writes first what ends a membership or an organization', async () => {
    const { organizations } = store;
    const event = anEvent();
    const { id: organizationId } = await givenOrganization(store, admin.accountId);
    await givenMember(store, organizationId, admin.id);
    const member = { organizationId, userId: admin.id };
    expect(await commitsOf(() => organizations.removeMember(member, event))).toEqual(['on']);
    expect(await commitsOf(() => organizations.delete(organizationId, () => event))).toEqual(['on']);
  });

  test('writes first what ends a credential of a service', async () => {
    const { name } = await givenService(store);
    const change = () =>
      store.services.update(
        name,
        (before) => ok({ ...before, deletedAt: START }),
        () => anEvent(),
      );
    expect(await commitsOf(change)).toEqual(['on']);
  });

  test('handles other changes as configured', async () => {
    expect(await commitsOf(() => givenAccount(store))).toEqual(['off']);
  });
});
