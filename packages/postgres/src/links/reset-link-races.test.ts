import { err } from '@gatehouse/domain';
import { aResetLink, aRevocation, byMaker, START } from '@gatehouse/domain/testing';
import type { PasswordHash } from '@gatehouse/domain/users';
import { afterAll, describe, expect, test } from 'vitest';
import {
  ENDINGS_OF_MAKERS,
  type Ending,
  type LinkScene,
  memberRow,
  raceForLink,
  type Use,
} from '../../testing/link-race.ts';
import { openStage } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import { createPostgresResetLinkRepository } from './reset-link-repository.ts';

const DEAD = err({ code: 'link_not_accepted' });
const DONE = expect.objectContaining({ ok: true });
const CHOSEN = '$test$chosen' as PasswordHash;
const SET = '$test$set' as PasswordHash;

const redeem: Use =
  ({ link: { codeHash } }, prepared) =>
  ({ database, event }) =>
    createPostgresResetLinkRepository(prepared(database)).redeem(
      codeHash,
      CHOSEN,
      { at: START, reason: 'reset' },
      {
        reset: ({ id }) => event({ actor: { kind: 'user', id }, action: 'user.password_reset' }),
        proved: () => event({ action: 'user.email_proved' }),
      },
    );

const ANOTHER_PASSWORD = 'another password';

/** The changes that end a password-reset link. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  ...ENDINGS_OF_MAKERS,
  'the end of its user':
    ({ member }) =>
    ({ store, event }) =>
      store.users.disable(member.id, aRevocation(), event()),
  'the promotion of its user':
    ({ member }) =>
    ({ store, event }) =>
      store.users.setRole(member.id, 'admin', () => event()),
  [ANOTHER_PASSWORD]:
    ({ member }) =>
    ({ store, event }) =>
      store.users.setPassword(member.id, SET, aRevocation(), event()),
  'a newer one':
    ({ member, colleague }) =>
    ({ store, event }) => {
      const link = aResetLink(member, { madeBy: colleague.id });
      return store.resetLinks.insert(link, event(byMaker(colleague.id, colleague.accountId)));
    },
};

describe('a password-reset link that is used while another transaction ends it', {
  timeout: 60_000,
}, async () => {
  const stage = await openStage();
  afterAll(stage.close);
  const look = async ({ member: { email } }: LinkScene) =>
    (await stage.store.users.findCredentials(email))?.passwordHash;

  const endings = Object.entries(ENDINGS);
  const isSet = (name: string) => name === ANOTHER_PASSWORD;
  /** Another password locks the user only. */
  const rowOf = (name: string) => (isSet(name) ? { row: memberRow } : {});

  test.each(endings)('sets the password if it is used before %s', async (name, ending) => {
    for (const raced of await raceForLink(stage, {
      use: redeem,
      ending,
      begins: 'use',
      look,
      ...rowOf(name),
    }))
      expect(raced).toEqual({ used: DONE, ended: DONE, left: isSet(name) ? SET : CHOSEN });
  });

  test.each(endings)('sets no password after %s', async (name, ending) => {
    for (const raced of await raceForLink(stage, {
      use: redeem,
      ending,
      begins: 'ending',
      look,
      ...rowOf(name),
    })) {
      expect(raced).toMatchObject({ used: DEAD, ended: DONE });
      expect(raced.left).not.toBe(CHOSEN);
    }
  });

  test.each(endings)('sets it, and is detected, without locks, after %s', async (name, ending) => {
    const raced = await raceForLink(
      stage,
      { use: redeem, ending, begins: 'ending', look, ...rowOf(name) },
      withoutLocks,
    );
    expect(raced).toContainEqual({ used: DONE, ended: DONE, left: CHOSEN });
  });

  test('sets one password if it is used twice', async () => {
    const again: Ending = (scene) => redeem(scene, (database) => database);
    for (const raced of await raceForLink(stage, { use: redeem, ending: again, begins: 'use', look }))
      expect(raced).toEqual({ used: DONE, ended: DEAD, left: CHOSEN });
  });
});
