import { err, type Result } from '@gatehouse/domain';
import { aRevocation, givenAdmins, givenUser } from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import { createPostgresUserRepository } from './user-repository.ts';

type Outcome = Result<unknown, { readonly code: string }>;
type Change = (scene: { readonly acting: User; readonly subject: User }) => Part<Outcome>;

describe('a change by an admin who loses the rights meanwhile', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  const byActing = ({ id, accountId }: User) => ({ actor: { kind: 'user', id }, accountId }) as const;

  const promote: Change =
    ({ acting, subject }) =>
    ({ store, event }) =>
      store.users.setRole(subject.id, 'admin', () => event(byActing(acting)));
  const disable: Change =
    ({ acting, subject }) =>
    ({ store, event }) =>
      store.users.disable(subject.id, aRevocation(), event(byActing(acting)));
  const enable: Change =
    ({ acting, subject }) =>
    ({ store, event }) =>
      store.users.enable(subject.id, event(byActing(acting)));

  const demoteActing: Change =
    ({ acting }) =>
    ({ store, event }) =>
      store.users.setRole(acting.id, 'member', () => event());
  const disableActing: Change =
    ({ acting }) =>
    ({ store, event }) =>
      store.users.disable(acting.id, aRevocation(), event());

  /** Races the end of an admin's rights, which begins first, with a change that this admin makes. */
  async function race(ending: Change, change: Change) {
    const outcomes: Outcome[] = [];
    for (const hold of GATE_HOLDS) {
      const [, acting] = await givenAdmins(stage.store);
      const subject = await givenUser(stage.store, acting.accountId, { role: 'member' });
      const [ended, changed] = await stage.race(
        ending({ acting, subject }),
        change({ acting, subject }),
        hold,
      );
      expect(ended).toMatchObject({ ok: true });
      outcomes.push(changed);
    }
    return outcomes;
  }

  const refused = err({ code: 'not_allowed' });

  test.each([
    ['a promotion', 'demoted', promote, demoteActing],
    ['a promotion', 'disabled', promote, disableActing],
    ['the end of a user', 'demoted', disable, demoteActing],
    ['the end of a user', 'disabled', disable, disableActing],
    ['the return of a user', 'demoted', enable, demoteActing],
    ['the return of a user', 'disabled', enable, disableActing],
  ] as const)('%s is refused if the admin is %s first', async (_, _ended, change, ending) => {
    expect(await race(ending, change)).toEqual([refused, refused, refused]);
  });

  test('the change is made, and is detected, without locking the account', async () => {
    const unlocked: Change =
      ({ acting, subject }) =>
      ({ database, event }) =>
        createPostgresUserRepository(withoutLocks(database)).setRole(subject.id, 'admin', () =>
          event(byActing(acting)),
        );
    expect((await race(demoteActing, unlocked)).some(({ ok }) => ok)).toBe(true);
  });
});
