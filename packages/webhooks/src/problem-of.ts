import type { SendProblem } from '@gatehouse/domain/webhooks';
import { AddressRefused, NameNotResolved } from './checked-lookup.ts';

/** Codes of Node and OpenSSL that mean that no encrypted connection to the right receiver was made. */
const TLS = /CERT|TLS|SSL|^EPROTO$|UNABLE_TO_|SELF_SIGNED|HOSTNAME_MISMATCH/;

/** Codes of Node that mean that the answer is not HTTP, or has too many headers. */
const ANSWER = /^HPE_/;

/** The error if the headers of an answer do not come to an end. */
export class AnswerTooLong extends Error {}

/** Says in one word why there was no answer. The error itself is not shown, because it can tell about the inner network. */
export function problemOf(error: unknown): SendProblem {
  if (error instanceof AddressRefused) return 'address_refused';
  if (error instanceof NameNotResolved) return 'dns_failed';
  if (error instanceof AnswerTooLong) return 'answer_malformed';
  const code = error instanceof Error && 'code' in error ? `${error.code}` : '';
  if (TLS.test(code)) return 'tls_failed';
  return ANSWER.test(code) ? 'answer_malformed' : 'connection_failed';
}
