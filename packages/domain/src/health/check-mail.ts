import { MAIL_PROBLEMS, type MailProblem } from '../mail/mailer.ts';
import type { Ports } from '../ports.ts';
import { defineCheck, type Outcome, outcomeOf } from './check.ts';

type MailServerUnusable = { readonly code: 'mail_server_unusable'; readonly problem: MailProblem };

/** Connects to the mail server of this machine's settings, if they name one, and sends nothing. */
export const mailCheck = defineCheck({
  id: 'mail',
  passed: 'The mail server takes messages.',
  name: 'the mail server',
  async run({ mailer }: Ports<'mailer'>): Promise<Outcome<MailServerUnusable>> {
    if (!mailer) return { status: 'passed', remark: 'no_mail' };
    const problem = await mailer.check();
    return outcomeOf(problem === undefined ? [] : [{ code: 'mail_server_unusable', problem }]);
  },
  findings: {
    mail_server_unusable: ({ problem }) => ({
      message: `No messages can be sent: ${MAIL_PROBLEMS[problem]}.`,
      remedy:
        'Correct SMTP_URL, and try it with `gatehouse mail test --to EMAIL`. Messages that wait are sent afterwards.',
    }),
  },
});
