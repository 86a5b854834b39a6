import type { Mail, Mailer, MailProblem } from '../src/mail/index.ts';

export interface FakeMailer extends Mailer {
  /** The messages that were taken over, in order. */
  readonly sent: readonly Mail[];
  /** Sets why messages are not taken over from now on; undefined lets them pass. */
  fail(problem: MailProblem | undefined): void;
  /** Sets a recipient that is refused for good. */
  refuse(to: string): void;
}

/** Creates a Mailer that keeps messages in memory. */
export function createFakeMailer(): FakeMailer {
  const sent: Mail[] = [];
  const refused = new Set<string>();
  let problem: MailProblem | undefined;
  return {
    sent,
    fail(next) {
      problem = next;
    },
    refuse: (to) => void refused.add(to),
    async send(mail) {
      if (problem !== undefined) return { kind: 'failed', problem };
      if (refused.has(mail.to)) return { kind: 'failed', problem: 'recipient_refused' };
      sent.push(mail);
      return { kind: 'sent' };
    },
    check: async () => problem,
  };
}
