import { describe, expect, test } from 'vitest';
import { err, ok } from '../../src/index.ts';
import { ALL_NOTICES } from '../../src/mail/index.ts';
import type { UserId } from '../../src/users/index.ts';
import { anEvent, givenAdmin } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { givenServiceAccount } from '../service-account-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const NO_TOKENS = { tokens: false, account: true };

export function noticePreferencesContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of NoticePreferenceRepository`, () => {
    const store = openRepositories(open);
    const event = anEvent({ action: 'user.notices_set' });

    test('a user gets all messages until the user sets what to get', async () => {
      const [ada, eve] = [await givenAdmin(store()), await givenAdmin(store())];
      expect(await store().noticePreferences.find(ada.id)).toEqual(ALL_NOTICES);
      expect(await store().noticePreferences.set(ada.id, NO_TOKENS, event)).toEqual(ok({ already: false }));
      const found = await store().noticePreferences.find(ada.id);
      expect(found).toEqual(NO_TOKENS);
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(await store().noticePreferences.find(eve.id)).toEqual(ALL_NOTICES);
      expect(await newestEvent(store())).toEqual(event);
    });

    test('the same preferences again change nothing and have no event', async () => {
      const ada = await givenAdmin(store());
      expect(await store().noticePreferences.set(ada.id, ALL_NOTICES, event)).toEqual(ok({ already: true }));
      await store().noticePreferences.set(ada.id, NO_TOKENS, event);
      const other = anEvent({ action: 'user.notices_set', details: { again: true } });
      expect(await store().noticePreferences.set(ada.id, NO_TOKENS, other)).toEqual(ok({ already: true }));
      expect(await newestEvent(store())).toEqual(event);
    });

    test('an unknown user and a service account set nothing', async () => {
      const { user } = await givenServiceAccount(store(), await givenAdmin(store()));
      const absent = err({ code: 'user_not_found' });
      expect(await store().noticePreferences.set(user.id, NO_TOKENS, event)).toEqual(absent);
      expect(await store().noticePreferences.set(999_999_999 as UserId, NO_TOKENS, event)).toEqual(absent);
      expect(await store().noticePreferences.find(999_999_999 as UserId)).toEqual(ALL_NOTICES);
    });
  });
}
