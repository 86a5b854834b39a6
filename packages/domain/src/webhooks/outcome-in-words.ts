import type { SendOutcome, SendProblem } from './webhook-sender.ts';

const PROBLEMS: Readonly<Record<SendProblem, string>> = {
  address_refused: 'the address is in a network to which Gatehouse does not send',
  dns_failed: 'the name has no address',
  connection_failed: 'no connection',
  tls_failed: 'the certificate is not accepted',
  timed_out: 'no answer within 15 s',
  answer_malformed: 'the answer is not HTTP',
};

/** Says how the sending of a message ended, such as `status 204`. */
export function outcomeInWords(outcome: SendOutcome): string {
  if (outcome.kind === 'failed') return PROBLEMS[outcome.problem];
  const isRedirect = outcome.status >= 300 && outcome.status < 400;
  return `status ${outcome.status}${isRedirect ? ', a redirect, which is not followed' : ''}`;
}
