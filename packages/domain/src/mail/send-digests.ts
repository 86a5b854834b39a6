import type { Ports } from '../ports.ts';
import { addMilliseconds } from '../time/instant.ts';
import { type Digest, NOTICE_WINDOW_MS } from './held-notices.ts';
import type { LinkTo } from './mail-links.ts';
import type { Mailer } from './mailer.ts';
import { digestMessage } from './messages/messages.ts';
import { wantsNotice } from './recipients.ts';
import { sendHandled } from './send.ts';

export type SendDigestsPorts = Ports<'users' | 'accounts' | 'noticePreferences' | 'heldNotices' | 'clock'> & {
  readonly mailer: Mailer;
  readonly linkTo: LinkTo;
};

/** How long a process keeps the digests that it sends for itself, in milliseconds. */
const TAKEN_MS = 10 * 60_000;

/** One person at a time, because each may have many events: all tokens of an account can expire on one day. */
const BATCH = { limit: 1, each: 10_000 };
const FORGOTTEN_AT_ONCE = 1000;

/**
 * Sends one batch of messages about events that waited for an hour, each about all of a person's events. If a message
 * fails, it is tried again after ten minutes; if it is refused for good, its events are dropped.
 */
export function sendDigests(ports: SendDigestsPorts) {
  const { users, accounts, noticePreferences, heldNotices, mailer, linkTo, clock } = ports;

  async function send(digest: Digest): Promise<void> {
    const { userId, notices } = digest;
    const user = await users.findById(userId);
    const account = user && (await accounts.findById(user.accountId));
    const preferences = await noticePreferences.find(userId);
    const wanted = notices.filter(
      ({ event }) => user && account && wantsNotice(event, { user, account, preferences }),
    );
    const last = wanted.at(-1);
    if (user && last) {
      const message = digestMessage(
        wanted.map(({ event }) => event),
        user,
        linkTo,
      );
      const messageId = `digest-${last.position}-${user.id}`;
      const handled = await sendHandled(mailer, { to: user.email, messageId, ...message });
      if (handled.kind === 'failed') return;
    }
    await heldNotices.settle(digest);
  }

  return async (): Promise<{ readonly more: boolean }> => {
    const now = clock.now();
    const heldBefore = addMilliseconds(now, -NOTICE_WINDOW_MS);
    const digests = await heldNotices.takeDue({
      now,
      heldBefore,
      until: addMilliseconds(now, TAKEN_MS),
      ...BATCH,
    });
    for (const digest of digests) await send(digest);
    const forgotten = await heldNotices.forget({ sentBefore: heldBefore, limit: FORGOTTEN_AT_ONCE });
    return { more: digests.length === BATCH.limit || forgotten === FORGOTTEN_AT_ONCE };
  };
}
