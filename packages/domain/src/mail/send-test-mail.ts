import { authorized, SEND_TEST_MAIL } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { parseEmail } from '../users/email.ts';
import type { MailProblem } from './mailer.ts';
import { testMessage } from './messages/messages.ts';

/** The error if the settings name no mail server. */
export type MailNotSetUp = { readonly code: 'mail_not_set_up' };

/** The error if the mail server did not take the message over. */
export type MailNotSent = { readonly code: 'mail_not_sent'; readonly problem: MailProblem };

/** Sends a message to an address, so that an operator sees whether messages arrive. */
export const sendTestMail = authorized(
  SEND_TEST_MAIL,
  ({ mailer, clock }: Ports<'mailer' | 'clock'>) =>
    async (_, { to }: { readonly to: string }) => {
      if (!mailer) return err<MailNotSetUp>({ code: 'mail_not_set_up' });
      const email = parseEmail(to);
      if (!email.ok) return email;
      const sent = await mailer.send({ to: email.value, messageId: `test-${clock.now()}`, ...testMessage() });
      return sent.kind === 'sent'
        ? ok({ to: email.value })
        : err<MailNotSent>({ code: 'mail_not_sent', problem: sent.problem });
    },
);
