import type { AuditEvent } from '../../audit/audit-event.ts';
import type { OpenInvitation } from '../../links/invitation-repository.ts';
import type { LinkCode } from '../../links/link-code.ts';
import type { OpenResetLink } from '../../links/reset-link.ts';
import type { User } from '../../users/user.ts';
import type { LinkTo } from '../mail-links.ts';
import type { Mail } from '../mailer.ts';
import { type NoticeKind, noticeRule } from '../notice-kinds.ts';
import { inert, letter } from './lines.ts';
import { noticeWords } from './notice-words.ts';

/** The subject and the text of a message. */
export type Message = Pick<Mail, 'subject' | 'text'>;

const WHY: Readonly<Record<NoticeKind, string>> = {
  tokens:
    'You get this message because you are responsible for the token. You can turn these messages off in your profile, under Notifications.',
  account:
    'You get this message because you are an admin of the account. You can turn these messages off in your profile, under Notifications.',
  security: 'You get this message because it is about your own sign-in. It cannot be turned off.',
};

const hello = ({ name }: Pick<User, 'name'>) => `Hello ${inert(name)},`;

/** The message about one event. */
export function noticeMessage(event: AuditEvent, recipient: User, linkTo: LinkTo): Message {
  const { subject, said, advice, link } = noticeWords(event);
  const why = WHY[noticeRule(event.action)?.kind ?? 'security'];
  return { subject, text: letter(hello(recipient), said, advice, linkTo(link), why) };
}

/** The most events that a message about several ones lists. */
const MAX_LISTED = 50;

/** The message about several events. */
export function digestMessage(events: readonly AuditEvent[], recipient: User, linkTo: LinkTo): Message {
  const listed = events.slice(0, MAX_LISTED).map((event) => `- ${noticeWords(event).said}`);
  const more = events.length - listed.length;
  return {
    subject: `${events.length} events on Gatehouse`,
    text: letter(
      hello(recipient),
      `${events.length} events happened within an hour. They are listed in one message:`,
      [...listed, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
      linkTo({ page: 'tokens' }),
      'You get at most ten messages within an hour. You can turn messages off in your profile, under Notifications.',
    ),
  };
}

/** The message with the link of an invitation. */
export function invitationMessage(
  { invitation, account }: OpenInvitation,
  code: LinkCode,
  linkTo: LinkTo,
): Message {
  const { invitedBy } = invitation;
  const by = invitedBy === null ? 'An operator' : inert(invitedBy.name);
  return {
    subject: `Invitation to ${inert(account.name)} on Gatehouse`,
    text: letter(
      'Hello,',
      `${by} invites you to the account ${inert(account.name)} on Gatehouse. Open this link to join:`,
      linkTo({ page: 'invitation', code }),
      'The link works once, for 7 days after the invitation. Anyone who has the link can use it, so do not pass this message on.',
      'If you do not expect an invitation, do nothing.',
    ),
  };
}

/** The message with a link that sets a new password. */
export function resetMessage({ user, link }: OpenResetLink, code: LinkCode, linkTo: LinkTo): Message {
  return {
    subject: 'Your new password on Gatehouse',
    text: letter(
      hello(user),
      `${link.isRequested ? 'Someone, probably you, asked for a new password.' : 'An admin of your account wants you to set a new password.'} Open this link to set a new password:`,
      linkTo({ page: 'password-reset', code }),
      'The link works once, for one hour. Anyone who has the link can use it, so do not pass this message on.',
      'If you did not ask for it, do nothing: your password stays as it is.',
    ),
  };
}

/** The message that only shows that messages arrive. */
export function testMessage(): Message {
  return {
    subject: 'Test message of Gatehouse',
    text: letter('Hello,', 'this is a test message. An operator sent it with gatehouse mail test.'),
  };
}
