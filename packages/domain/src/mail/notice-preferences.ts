import { authorized, type Principal, USE_OWN_NOTICES } from '../access/index.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { type ChangeOutcome, ok, type Result } from '../result.ts';
import type { UserId } from '../users/user.ts';
import type { UserNotFound } from '../users/user-repository.ts';
import type { OptionalNotice } from './notice-kinds.ts';

/** Which messages a user gets. */
export type NoticePreferences = Readonly<Record<OptionalNotice, boolean>>;

/** The preferences of a user who has set none. */
export const ALL_NOTICES: NoticePreferences = { tokens: true, account: true };

/** Stores which messages users get. Implementations pass `noticePreferencesContract`. */
export interface NoticePreferenceRepository {
  /** Returns `ALL_NOTICES` for a user who has set none, and for an unknown one. */
  find(id: UserId): Promise<NoticePreferences>;

  /** Sets the preferences and stores the event. `already`: the user had set the same ones, so nothing changed. */
  set(
    id: UserId,
    preferences: NoticePreferences,
    event: AuditEvent,
  ): Promise<Result<ChangeOutcome, UserNotFound>>;
}

/** Returns which messages the caller gets. */
export const showNoticePreferences = authorized(
  USE_OWN_NOTICES,
  ({ noticePreferences }: Ports<'noticePreferences'>) =>
    async ({ userId }: Principal) =>
      ok(await noticePreferences.find(userId)),
);

/** Sets which messages the caller gets. */
export const setNoticePreferences = authorized(
  USE_OWN_NOTICES,
  ({ noticePreferences, clock }: Ports<'noticePreferences' | 'clock'>) =>
    async (caller: Principal, { tokens, account }: NoticePreferences) => {
      const subject = { id: caller.userId, accountId: caller.accountId };
      const event = eventOf(clock.now(), 'user.notices_set', subject, { tokens, account });
      return noticePreferences.set(caller.userId, { tokens, account }, eventBy(caller, event));
    },
);
