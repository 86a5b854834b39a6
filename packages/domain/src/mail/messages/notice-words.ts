import type { AuditEvent } from '../../audit/audit-event.ts';
import type { LinkTarget } from '../mail-links.ts';
import type { NoticeAction } from '../notice-kinds.ts';
import { inert } from './lines.ts';

/** The words of a message about an event. */
export interface NoticeWords {
  /** The subject: what happened, in a few words. */
  readonly subject: string;
  /** The event, in sentences. */
  readonly said: string;
  /** The steps that the person can take, in sentences. */
  readonly advice: string;
  readonly link: LinkTarget;
}

type Say = (event: AuditEvent) => NoticeWords;

/** The name of the token or the webhook in the event. */
const named = ({ details, subject }: AuditEvent) =>
  typeof details.name === 'string' ? `"${inert(details.name)}"` : subject.id;

const ofToken = ({ subject: { id } }: AuditEvent): LinkTarget => ({ page: 'token', id });

/** The date in a detail that has an instant, such as `2026-12-05`. */
const date = (detail: AuditEvent['details'][string] | undefined) =>
  typeof detail === 'string' ? detail.slice(0, 10) : 'an unknown day';

const reasonOf = ({ details: { reason } }: AuditEvent) =>
  typeof reason === 'string' ? ` Reason: ${inert(reason)}.` : '';

const days = (detail: AuditEvent['details'][string] | undefined) =>
  detail === 1 ? '1 day' : `${detail} days`;

const NOT_YOU =
  'If you do not know of this, ask an admin of your account at once: someone else may use your account.';

/** Words about the sign-in of the recipient. */
const ofSignIn =
  (subject: string, said: string): Say =>
  () => ({ subject, said, advice: NOT_YOU, link: { page: 'sign-in-methods' } });

/** The words of the message about each kind of event. */
const WORDS: Readonly<Record<NoticeAction, Say>> = {
  'token.expires_soon': (event) => ({
    subject: `Token ${named(event)} expires in ${days(event.details.days)}`,
    said: `The token ${named(event)} expires in ${days(event.details.days)}, on ${date(event.details.expires_at)}.${
      event.details.used_lately === true ? ' A program used it within the last week.' : ''
    }`,
    advice:
      'Rotate the token or create another one before it expires. Requests with it are refused afterwards.',
    link: ofToken(event),
  }),
  'token.expired_in_use': (event) => ({
    subject: `Token ${named(event)} expired and is in use`,
    said: `The token ${named(event)} expired. A program used it shortly before, or tries to use it.`,
    advice: 'Create another token for the program.',
    link: ofToken(event),
  }),
  'token.unused': (event) => ({
    subject: `Token ${named(event)} is not used`,
    said: `The token ${named(event)} was not used for 90 days.`,
    advice: 'If nothing needs the token, revoke it.',
    link: ofToken(event),
  }),
  'token.used_from_new_network': (event) => ({
    subject: `Token ${named(event)} was used from a new network`,
    said: `The token ${named(event)} was used from the network ${event.details.network}, from which it was never used before.`,
    advice: 'If you do not know of this, revoke the token: someone else may have it.',
    link: ofToken(event),
  }),
  'token.revoked': (event) => ({
    subject: `Token ${named(event)} was revoked`,
    said: `The token ${named(event)} was revoked. Requests with it are refused.`,
    advice: 'If a program needs a token, create another one.',
    link: ofToken(event),
  }),
  'token.transferred': (event) => ({
    subject: `You have the token ${named(event)}`,
    said: `The token ${named(event)} was given to you, or to a service account for which you answer. Programs that use it keep working.`,
    advice: 'Find out which program uses it. If nothing needs it, revoke it.',
    link: ofToken(event),
  }),
  'policy.exceeded': (event) => ({
    subject: 'Tokens break the rules of your account',
    said: `${event.details.tokens} tokens of your account break its rules for tokens.`,
    advice: 'The page with the rules shows which ones, and can shorten them.',
    link: { page: 'rules' },
  }),
  'webhook.disabled': (event) => ({
    subject: `Webhook ${named(event)} was disabled`,
    said: `The webhook ${named(event)} was disabled and gets no more events.${reasonOf(event)}`,
    advice: 'Enable it again once its program accepts messages.',
    link: { page: 'webhooks' },
  }),
  'user.password_set': ofSignIn('Your password was changed', 'Your password was changed.'),
  'user.password_reset': ofSignIn(
    'Your password was changed by a link',
    'Your password was changed by a password reset link. All your sessions were ended.',
  ),
  'user.reset_link_created': ofSignIn(
    'A password reset link was created for you',
    'An admin or an operator created a link with which your password can be changed.',
  ),
  'user.role_set': (event) => ({
    subject: 'Your role was changed',
    said: `You are now ${event.details.to === 'admin' ? 'an admin' : 'a member'} of your account.`,
    advice: 'If you did not expect this, ask an admin of your account.',
    link: { page: 'sign-in-methods' },
  }),
  'user.linked': ofSignIn(
    'An identity provider was linked to you',
    'An identity of an identity provider was linked to you. A person who has it can sign in as you.',
  ),
  'user.unlinked': ofSignIn(
    'An identity provider was unlinked from you',
    'The identity of an identity provider was unlinked from you. It can no longer be used to sign in as you.',
  ),
  'user.second_factor_enrolled': ofSignIn('You have a second factor', 'A second factor was set up for you.'),
  'user.second_factor_removed': ofSignIn(
    'Your second factor was removed',
    'Your second factor was removed. Your password alone is enough to sign in.',
  ),
  'user.second_factor_reset': ofSignIn(
    'Your second factor was reset',
    'An operator reset your second factor. Your password alone is enough to sign in.',
  ),
  'user.second_factor_paused': ofSignIn(
    'Wrong codes were entered for you',
    'Someone who has your password entered too many wrong codes of your second factor.',
  ),
  'user.recovery_codes_made': ofSignIn(
    'You have new recovery codes',
    'New recovery codes were made for you. The ones before no longer work.',
  ),
  'user.recovery_code_used': ofSignIn(
    'A recovery code was used',
    'A recovery code was used to sign in as you.',
  ),
};

/** Returns the words of the message about an event. Its action must be one of `NOTICE_RULES`. */
export const noticeWords = (event: AuditEvent): NoticeWords => WORDS[event.action as NoticeAction](event);
