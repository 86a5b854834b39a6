import type { Handled } from '../reactions/reaction.ts';
import { isPermanent, MAIL_PROBLEMS, type Mail, type Mailer } from './mailer.ts';

/** Sends a message for a reaction. A message that is refused for good is dropped, and any other is tried again. */
export async function sendHandled(mailer: Mailer, mail: Mail): Promise<Handled> {
  const sent = await mailer.send(mail);
  if (sent.kind === 'sent') return { kind: 'done' };
  const problem = MAIL_PROBLEMS[sent.problem];
  return isPermanent(sent.problem) ? { kind: 'dropped', problem } : { kind: 'failed', problem };
}
