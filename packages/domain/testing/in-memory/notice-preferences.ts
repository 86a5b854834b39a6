import { err, ok } from '../../src/index.ts';
import { ALL_NOTICES, type NoticePreferenceRepository } from '../../src/mail/index.ts';
import type { State } from './state.ts';

export function createInMemoryNoticePreferences(state: State): NoticePreferenceRepository {
  const find = (id: Parameters<NoticePreferenceRepository['find']>[0]) =>
    state.noticePreferences.get(id) ?? ALL_NOTICES;
  return {
    find: async (id) => find(id),
    async set(id, preferences, event) {
      if (state.users.get(id)?.kind !== 'person') return err({ code: 'user_not_found' });
      const { tokens, account } = find(id);
      if (tokens === preferences.tokens && account === preferences.account) return ok({ already: true });
      state.noticePreferences.set(id, preferences);
      state.events.push(event);
      return ok({ already: false });
    },
  };
}
