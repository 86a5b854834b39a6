import type { AuditEvent } from '../audit/audit-event.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import type { InvitationId } from '../links/invitation.ts';
import type { LinkCodeHash } from '../links/link-code.ts';
import { isMailed } from '../links/mailed-link.ts';
import type { Ports } from '../ports.ts';
import type {
  Addressed,
  Delivery,
  Handled,
  Lane,
  Reaction,
  ReactionName,
  SealedEvent,
} from '../reactions/reaction.ts';
import type { UserId } from '../users/user.ts';
import { type EventFactsPorts, findEventFacts } from './find-event-facts.ts';
import { MAX_NOTICES, NOTICE_WINDOW_MS } from './held-notices.ts';
import type { LinkTo } from './mail-links.ts';
import type { Mailer } from './mailer.ts';
import { invitationMessage, noticeMessage, resetMessage } from './messages/messages.ts';
import { NOTICE_RULES } from './notice-kinds.ts';
import { recipientsOf, wantsNotice } from './recipients.ts';
import { sendHandled } from './send.ts';

export type MailReactionPorts = EventFactsPorts &
  Ports<
    'accounts' | 'invitations' | 'resetLinks' | 'linkCodes' | 'noticePreferences' | 'heldNotices' | 'clock'
  > & {
    readonly mailer: Mailer;
    readonly linkTo: LinkTo;
  };

/** The pauses double from a second to an hour, so a message is tried for about half a day. */
const PLAN = { deadlineMs: 60_000, tries: 20, firstPauseMs: 1000, longestPauseMs: 3_600_000, concurrency: 4 };

/** The number of events whose recipients are read at the same time. */
const AT_ONCE = 4;

const DONE: Handled = { kind: 'done' };

/** The lane of a person; and that of an invitation, whose recipient is not a user yet. */
const laneOf = (id: UserId) => `user ${id}` as Lane;
const laneOfInvitation = (id: string) => `invitation ${id}` as Lane;

/**
 * A reset link ends after an hour, and a lane that failed can wait as long. So no link waits for another message, and only
 * the newest link of a user is mailed.
 */
const laneOfReset = (position: AuditPosition) => `reset ${position}` as Lane;

const isResetLink = (event: AuditEvent) =>
  event.action === 'user.reset_requested' || (event.action === 'user.reset_link_created' && isMailed(event));

/**
 * Sends messages about events, and the links of invitations and password resets. Each recipient has a lane, so a
 * mailbox that refuses messages delays no one else.
 */
export function createMailReaction(ports: MailReactionPorts): Reaction {
  const { users, accounts, noticePreferences, heldNotices, mailer, linkTo, clock } = ports;

  async function lanesOf({ event, position }: SealedEvent): Promise<readonly Lane[]> {
    if (event.action === 'invitation.created')
      return isMailed(event) ? [laneOfInvitation(event.subject.id)] : [];
    if (isResetLink(event)) return [laneOfReset(position)];
    return recipientsOf(event, await findEventFacts(ports, event)).map(({ id }) => laneOf(id));
  }

  async function handleNotice(delivery: Delivery): Promise<Handled> {
    const { event, lane, position } = delivery;
    const user = await users.findById(Number(lane.slice('user '.length)) as UserId);
    const account = user && (await accounts.findById(user.accountId));
    if (!user || !account) return DONE;
    const preferences = await noticePreferences.find(user.id);
    if (!wantsNotice(event, { user, account, preferences })) return DONE;
    // The message may have waited for hours, and the token may have another owner now.
    const facts = await findEventFacts(ports, event);
    if (!recipientsOf(event, facts).some(({ id }) => id === user.id)) return DONE;
    const pace = { now: clock.now(), limit: MAX_NOTICES, windowMs: NOTICE_WINDOW_MS };
    if ((await heldNotices.admit(user.id, { position, event }, pace)) === 'held') return DONE;
    const messageId = `notice-${position}-${user.id}`;
    return sendHandled(mailer, { to: user.email, messageId, ...noticeMessage(event, user, linkTo) });
  }

  /** A code that was in an earlier try no longer works, so each try is a message of its own. */
  const linkMessageId = (position: number, hash: LinkCodeHash) => `link-${position}-${hash.slice(0, 16)}`;

  async function handleInvitation({ event, position }: Delivery): Promise<Handled> {
    const { code } = ports.linkCodes.create('invitation');
    const hash = ports.linkCodes.hashOf(code);
    const id = event.subject.id as InvitationId;
    const open = await ports.invitations.renewCode(id, hash, clock.now());
    if (!open) return { kind: 'dropped', problem: 'the invitation is no longer open' };
    const messageId = linkMessageId(position, hash);
    const message = invitationMessage(open, code, linkTo);
    return sendHandled(mailer, { to: open.invitation.email, messageId, ...message });
  }

  async function handleReset({ event, position }: Delivery): Promise<Handled> {
    const { code } = ports.linkCodes.create('reset');
    const hash = ports.linkCodes.hashOf(code);
    // A newer link has an event of its own, and is mailed once.
    const link = { userId: Number(event.subject.id) as UserId, createdAt: event.at };
    const open = await ports.resetLinks.renewCode(link, hash, clock.now());
    if (!open) return { kind: 'dropped', problem: 'the password reset link is no longer open' };
    const messageId = linkMessageId(position, hash);
    return sendHandled(mailer, { to: open.user.email, messageId, ...resetMessage(open, code, linkTo) });
  }

  return {
    name: 'mail' as ReactionName,
    on: [
      ...(Object.keys(NOTICE_RULES) as (keyof typeof NOTICE_RULES)[]),
      'invitation.created',
      'user.reset_requested',
    ],
    plan: PLAN,
    async address(events) {
      const addressed: Addressed[] = [];
      // A seal has hundreds of events. If the facts of all were read at once, requests would wait for a connection.
      for (let first = 0; first < events.length; first += AT_ONCE) {
        const some = events
          .slice(first, first + AT_ONCE)
          .map(async (each) => ({ each, lanes: await lanesOf(each) }));
        for (const { each, lanes } of await Promise.all(some))
          addressed.push(...lanes.map((lane) => ({ ...each, lane })));
      }
      return addressed;
    },
    handle(delivery) {
      const { event } = delivery;
      if (event.action === 'invitation.created') return handleInvitation(delivery);
      return isResetLink(event) ? handleReset(delivery) : handleNotice(delivery);
    },
  };
}
