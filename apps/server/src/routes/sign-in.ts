import { type SignInRequest, signInRequest } from '@gatehouse/api-contract';
import { invalidInput, UnavailableFault } from '@gatehouse/domain';
import type { SignIn, SignInError } from '@gatehouse/domain/sign-in';
import { parseEmail } from '@gatehouse/domain/users';
import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import { type Answer, type Header, jsonAnswer } from '../http/answer.ts';
import { readBody } from '../http/body.ts';
import { bodyFormat } from '../http/body-format.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { nodeRequest, requestId } from '../http/exchange.ts';
import { problemAnswer } from '../http/problem.ts';
import { refusal } from '../http/refusal.ts';
import type { Handler } from '../http/route.ts';
import { SIGN_IN_LINE } from '../log-rooms.ts';

export interface SignInRoutePorts {
  readonly signIn: SignIn;
  readonly clientAddress: ClientAddress;
  readonly log: Logger;
  readonly signIns: SignInCounter;
}

/** How a sign-in went; `unavailable` and `failed` where that is not known. */
export type SignInOutcome = 'accepted' | SignInError['code'] | 'unavailable' | 'failed';

export interface SignInCounter {
  inc(outcome: SignInOutcome): void;
}

const NO_STORE: Header = ['cache-control', 'no-store'];
const MALFORMED_BODY = problemAnswer('malformed_body');
const BODY_TOO_LARGE = problemAnswer('body_too_large');
const UNSUPPORTED_MEDIA_TYPE = problemAnswer('unsupported_media_type');

/** POST /api/v1/auth.json */
export function signInRoute({ signIn, clientAddress, log, signIns }: SignInRoutePorts): Handler {
  return async (event) => {
    const fields = await readFields(event);
    if ('answer' in fields) return fields.answer;
    const { email, password } = fields;
    const address = clientAddress(nodeRequest(event));
    const note = (outcome: SignInOutcome) => {
      signIns.inc(outcome);
      log.info(
        {
          request_id: requestId(event),
          outcome,
          // What is no address may be a password in the wrong field.
          email: parseEmail(email).ok ? email : null,
          address,
        },
        SIGN_IN_LINE,
      );
    };
    const signedIn = await signIn({ email, password, address }).catch((fault) => {
      note(fault instanceof UnavailableFault ? 'unavailable' : 'failed');
      throw fault;
    });
    note(signedIn.ok ? 'accepted' : signedIn.error.code);
    if (!signedIn.ok) return refusal(signedIn.error);
    return jsonAnswer(JSON.stringify({ token: signedIn.value }), NO_STORE);
  };
}

/** What is wrong with the request is found out before anything is counted or hashed. */
async function readFields(event: H3Event): Promise<SignInRequest | { readonly answer: Answer }> {
  const request = nodeRequest(event);
  const {
    'content-type': type,
    'content-encoding': encoding,
    'transfer-encoding': transfer,
  } = request.headers;
  const format = bodyFormat(type);
  const isPlain = isOrAbsent('identity', encoding) && isOrAbsent('chunked', transfer);
  if (!format || !isPlain) return { answer: UNSUPPORTED_MEDIA_TYPE };

  const bytes = await readBody(request);
  if (bytes === 'too_large') return { answer: BODY_TOO_LARGE };
  if (bytes === 'aborted') return { answer: MALFORMED_BODY };
  const body = format(bytes);
  if (!body.ok) return { answer: MALFORMED_BODY };
  const parsed = signInRequest.safeParse(body.value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({
    field: path.length === 0 ? 'body' : path.join('.'),
    message,
  }));
  return { answer: refusal(invalidInput(...problems)) };
}

function isOrAbsent(expected: string, field: string | undefined): boolean {
  return field === undefined || field.trim().toLowerCase() === expected;
}
