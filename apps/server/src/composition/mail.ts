import type { Repositories } from '@gatehouse/domain';
import type { LinkCodes } from '@gatehouse/domain/links';
import {
  createMailReaction,
  type LinkTarget,
  type LinkTo,
  type Mailer,
  sendDigests,
} from '@gatehouse/domain/mail';
import type { Reaction } from '@gatehouse/domain/reactions';
import type { Clock } from '@gatehouse/domain/time';
import { pathTo } from '@gatehouse/pages';

/** The work of a server that has a mail server. */
export interface Mailing {
  readonly reaction: Reaction;
  /** Sends one batch of messages about several events. */
  readonly sendDigests: () => Promise<{ readonly more: boolean }>;
}

interface MailingParts {
  readonly mailer: Mailer;
  readonly repositories: Repositories;
  readonly linkCodes: LinkCodes;
  readonly clock: Clock;
  /** The origin at which browsers find the pages. */
  readonly publicUrl: string;
}

/** Wires what sends messages about events, and the links of invitations and password resets. */
export function createMailing({ repositories, publicUrl, ...parts }: MailingParts): Mailing {
  const ports = { ...repositories, ...parts, linkTo: createLinkTo(publicUrl) };
  return { reaction: createMailReaction(ports), sendDigests: sendDigests(ports) };
}

/** A code is behind `#`, a part of an address that browsers do not send. */
const createLinkTo =
  (publicUrl: string): LinkTo =>
  (target: LinkTarget) =>
    `${publicUrl}${pathTo(target)}`;

/** Counts the messages, by what became of them. */
export function countedMailer(mailer: Mailer, count: (result: string) => void): Mailer {
  return {
    async send(mail) {
      const outcome = await mailer.send(mail);
      count(outcome.kind === 'sent' ? 'sent' : outcome.problem);
      return outcome;
    },
    check: () => mailer.check(),
  };
}
