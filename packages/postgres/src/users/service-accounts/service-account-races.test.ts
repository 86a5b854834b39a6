import type { Result } from '@gatehouse/domain';
import type { SigningKey } from '@gatehouse/domain/signing-keys';
import {
  aRevocation,
  aServiceAccount,
  aToken,
  givenActiveKey,
  givenAdmins,
  givenServiceAccount,
  givenToken,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import type { Token } from '@gatehouse/domain/tokens';
import type { User } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part, type Side } from '../../../testing/stage.ts';
import { withoutLocks } from '../../../testing/without-locks.ts';
import type { Database } from '../../database/database.ts';
import { createPostgresRepositories } from '../../repositories.ts';

type Outcome = Result<unknown, { readonly code: string }>;

interface Scene {
  /** The admin who ends, or who answers. */
  readonly admin: User;
  readonly other: User;
  /** A service account for which the other admin answers. */
  readonly service: User;
  readonly token: Token;
  readonly key: SigningKey;
}

type Change = (side: Side, scene: Scene) => Promise<Outcome>;

/** Changes that depend on another user, each with the refusal if that user ended before. */
const CHANGES = {
  'give a token': {
    change: ({ store, event }, { service, token }) =>
      store.tokens.give(token.id, service.id, START, () => event()),
    end: ({ store, event }, { service }) => store.users.disable(service.id, aRevocation(), event()),
    refusal: 'transfer_target_not_fit',
    endAfter: { ok: true },
  },
  'make a token by an admin who is demoted': {
    change: ({ store, event }, { service, admin, key }) =>
      store.tokens.insert(
        aToken(service, key),
        event({ actor: { kind: 'user', id: admin.id }, accountId: admin.accountId }),
      ),
    end: ({ store, event }, { admin }) => store.users.setRole(admin.id, 'member', () => event()),
    refusal: 'not_allowed',
    endAfter: { ok: true },
  },
  'make an admin responsible who is disabled': {
    change: ({ store, event }, { service, admin }) =>
      store.serviceAccounts.update(service.id, { responsibleId: admin.id }, () => event()),
    end: ({ store, event }, { admin }) => store.users.disable(admin.id, aRevocation(), event()),
    refusal: 'responsible_not_fit',
    endAfter: { ok: false, error: { code: 'service_accounts_undecided' } },
  },
  'create one whose responsible admin is disabled': {
    change: ({ store, event }, { admin }) =>
      store.serviceAccounts.insert(
        aServiceAccount(admin, { madeBy: { kind: 'operator', name: 'root' } }),
        () => event(),
      ),
    end: ({ store, event }, { admin }) => store.users.disable(admin.id, aRevocation(), event()),
    refusal: 'responsible_not_fit',
    endAfter: { ok: false, error: { code: 'service_accounts_undecided' } },
  },
  'create one whose responsible admin is demoted': {
    change: ({ store, event }, { admin }) =>
      store.serviceAccounts.insert(
        aServiceAccount(admin, { madeBy: { kind: 'operator', name: 'root' } }),
        () => event(),
      ),
    end: ({ store, event }, { admin }) => store.users.setRole(admin.id, 'member', () => event()),
    refusal: 'responsible_not_fit',
    // `doctor` and the page name the service account then.
    endAfter: { ok: true },
  },
} satisfies Record<string, { change: Change; end: Change; refusal: string; endAfter: object }>;

const NAMES = Object.keys(CHANGES) as readonly (keyof typeof CHANGES)[];

describe('a change that depends on a user who ends meanwhile', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  async function race(
    name: keyof typeof CHANGES,
    begins: 'one' | 'other',
    prepared = (database: Database) => database,
  ) {
    const { change, end } = CHANGES[name];
    const raced: { readonly changed: Outcome; readonly ended: Outcome; readonly token: Token | undefined }[] =
      [];
    for (const hold of GATE_HOLDS) {
      const [admin, other] = await givenAdmins(stage.store);
      await givenUser(stage.store, admin.accountId);
      const { user: service } = await givenServiceAccount(stage.store, other);
      const token = await givenToken(stage.store, admin);
      const scene = { admin, other, service, token, key: await givenActiveKey(stage.store) };
      const changing: Part<Outcome> = (side) =>
        change({ ...side, store: createPostgresRepositories(prepared(side.database)) }, scene);
      const ending: Part<Outcome> = (side) => end(side, scene);
      const [changed, ended] = await stage.race(changing, ending, hold, begins);
      raced.push({ changed, ended, token: await stage.store.tokens.findRecord(scene.token.id) });
    }
    return raced;
  }

  test.each(NAMES)('is refused after the end: %s', async (name) => {
    for (const { changed, ended } of await race(name, 'other')) {
      expect(ended).toMatchObject({ ok: true });
      expect(changed).toMatchObject({ ok: false, error: { code: CHANGES[name].refusal } });
    }
  });

  test.each(NAMES)('is seen by the end that comes later: %s', async (name) => {
    for (const { changed, ended, token } of await race(name, 'one')) {
      expect(changed).toMatchObject({ ok: true });
      expect(ended).toMatchObject(CHANGES[name].endAfter);
      if (name === 'give a token') expect(token?.revocation).not.toBeNull();
    }
  });

  test.each(NAMES)('is made, and is detected, without locks: %s', async (name) => {
    const raced = await race(name, 'other', withoutLocks);
    expect(raced.some(({ changed, ended }) => changed.ok && ended.ok)).toBe(true);
  });
});
