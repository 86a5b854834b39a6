import { err } from '@gatehouse/domain';
import { A_HASH, anInvitation, byMaker, START } from '@gatehouse/domain/testing';
import { afterAll, describe, expect, test } from 'vitest';
import {
  ENDINGS_OF_MAKERS,
  type Ending,
  type LinkScene,
  raceForLink,
  type Use,
} from '../../testing/link-race.ts';
import { openStage } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import { createPostgresInvitationRepository } from './invitation-repository.ts';

const DEAD = err({ code: 'link_not_accepted' });
const DONE = expect.objectContaining({ ok: true });

const accept: Use =
  ({ invitation: { codeHash } }, prepared) =>
  ({ database, event }) =>
    createPostgresInvitationRepository(prepared(database)).accept(
      codeHash,
      { name: 'Noor', passwordHash: A_HASH, at: START },
      () => [event({ action: 'invitation.accepted' }), event({ action: 'user.created' })],
    );

const revoke: Ending =
  ({ invitation: { id }, colleague }) =>
  ({ store, event }) =>
    store.invitations.revoke(id, { at: START, by: colleague }, ({ accountId }) =>
      event(byMaker(colleague.id, accountId)),
    );
const replace: Ending =
  ({ invitation: { email }, colleague }) =>
  ({ store, event }) =>
    store.invitations.insert(anInvitation(colleague, { email }), 100, {
      created: event(byMaker(colleague.id, colleague.accountId)),
      replaced: () => event(),
    });

/** The changes that end an invitation, and what they answer once it was accepted. */
const ENDINGS: readonly (readonly [string, Ending, unknown])[] = [
  ['its revocation', revoke, err({ code: 'invitation_not_found' })],
  ['a newer one for the address', replace, err({ code: 'email_taken' })],
  ...Object.entries(ENDINGS_OF_MAKERS).map(([name, ending]) => [name, ending, DONE] as const),
];

describe('an invitation that is accepted while another transaction ends it', {
  timeout: 60_000,
}, async () => {
  const stage = await openStage();
  afterAll(stage.close);
  const look = async ({ invitation: { email } }: LinkScene) =>
    (await stage.store.users.findByEmail(email)) !== undefined;

  test.each(ENDINGS)('makes a user if it is accepted before %s', async (_, ending, ended) => {
    for (const raced of await raceForLink(stage, { use: accept, ending, begins: 'use', look }))
      expect(raced).toEqual({ used: DONE, ended, left: true });
  });

  test.each(ENDINGS)('makes no user after %s', async (_, ending) => {
    for (const raced of await raceForLink(stage, { use: accept, ending, begins: 'ending', look }))
      expect(raced).toEqual({ used: DEAD, ended: DONE, left: false });
  });

  test.each(ENDINGS)('makes one, and is detected, without locks, after %s', async (_, ending) => {
    const raced = await raceForLink(stage, { use: accept, ending, begins: 'ending', look }, withoutLocks);
    expect(raced).toContainEqual({ used: DONE, ended: expect.anything(), left: true });
  });

  test('makes one user if it is accepted twice', async () => {
    const again: Ending = (scene) => accept(scene, (database) => database);
    for (const raced of await raceForLink(stage, { use: accept, ending: again, begins: 'use', look }))
      expect(raced).toEqual({ used: DONE, ended: DEAD, left: true });
  });
});
