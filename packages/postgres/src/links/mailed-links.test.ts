import type { LinkCodeHash } from '@gatehouse/domain/links';
import {
  A_HASH,
  aCodeHash,
  anEvent,
  givenAdmin,
  givenInvitation,
  givenResetLink,
  givenUser,
  START,
} from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/open-test-store.ts';

const { database, store, close } = await openTestDatabase();
afterAll(close);

const bytesOf = (hash: LinkCodeHash) => Buffer.from(hash, 'hex');

test('a link that a server of the previous version replaces is not a mailed one', async () => {
  const { accountId } = await givenAdmin(store);
  const member = await givenUser(store, accountId, { role: 'member' });
  await sql`delete from sign_in_means where user_id = ${member.id}`.execute(database.queries);
  await givenResetLink(store, member, { isMailed: true, isRequested: true });
  const shown = aCodeHash();
  // That server knows neither of the new columns.
  await sql`update reset_links set code_hash = ${bytesOf(shown)} where user_id = ${member.id}`.execute(
    database.queries,
  );
  const found = await store.resetLinks.findByCode(shown, START);
  expect(found?.link).toMatchObject({ isMailed: false, isRequested: false });
  expect(
    await store.resetLinks.renewCode({ userId: member.id, createdAt: START }, aCodeHash(), START),
  ).toBeUndefined();
  const audit = { reset: () => anEvent(), proved: () => expect.fail('not mailed') };
  const redeemed = await store.resetLinks.redeem(shown, A_HASH, { at: START, reason: '' }, audit);
  expect(redeemed.ok).toBe(true);
  expect(await store.identities.findMeans(member.id)).toMatchObject({ emailProvedAt: null });
});

test('of a new code and a use of the one before, at the same moment, one wins', async () => {
  const admin = await givenAdmin(store);
  for (let turn = 0; turn < 10; turn += 1) {
    const { id, codeHash } = await givenInvitation(store, admin, { isMailed: true });
    const user = { name: 'Noor', passwordHash: A_HASH, at: START };
    const [renewed, accepted] = await Promise.all([
      store.invitations.renewCode(id, aCodeHash(), START),
      store.invitations.accept(codeHash, user, () => []),
    ]);
    expect([renewed !== undefined, accepted.ok].filter(Boolean)).toHaveLength(1);
  }
});

test('of two servers that take the events of a person at the same moment, one gets them', async () => {
  for (let turn = 1; turn <= 10; turn += 1) {
    const { id } = await givenAdmin(store);
    for (const position of [1, 2, 3])
      await store.heldNotices.admit(
        id,
        { position: position as never, event: anEvent() },
        { now: START, limit: 1, windowMs: 3_600_000 },
      );
    const now = addMilliseconds(START, 3_600_000);
    const options = { now, heldBefore: START, until: addMilliseconds(now, 60_000), limit: 100, each: 100 };
    const taken = await Promise.all([1, 2, 3].map(() => store.heldNotices.takeDue(options)));
    const own = taken.flat().filter(({ userId }) => userId === id);
    expect(own.map(({ notices }) => notices.length)).toEqual([2]);
  }
});
