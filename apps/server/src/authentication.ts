import type { IncomingMessage } from 'node:http';
import { type Awaitable, andThen, type Result } from '@gatehouse/domain';
import type { RefusedCaller } from '@gatehouse/domain/access';
import { formatInstant } from '@gatehouse/domain/time';
import type { AuthenticateToken, TokenCaller, UsageRecorder } from '@gatehouse/domain/tokens';
import { recordDenial, refused } from '@gatehouse/domain/tokens';
import type { ClientAddress } from '@gatehouse/front';
import type { H3Event } from 'h3';
import { type Answer, withHeader } from './http/answer.ts';
import { bearerCredentials } from './http/bearer.ts';
import { PROBLEM_ANSWERS } from './http/problem.ts';
import { isAccessDenied, type Refusal, refusal } from './http/refusal.ts';
import type { RefusalLog } from './http/refusal-log.ts';
import { nodeRequest } from './http/request.ts';
import type { Handler } from './http/routed-app.ts';
import { hasTokenElsewhere } from './http/token-elsewhere.ts';

export interface AuthenticationPorts {
  readonly authenticateToken: AuthenticateToken;
  readonly clientAddress: ClientAddress;
  readonly usage: Pick<UsageRecorder, 'refused'>;
  readonly refusalLog: RefusalLog;
}

/** The caller of a request; the use cases refuse one whose token was not accepted. */
export type BearerCaller = TokenCaller | RefusedCaller;

type Outcome = Result<Answer, Refusal>;

/** Wraps the handler of a route that requires a bearer token. */
export type Authenticated = (
  handler: (caller: BearerCaller, event: H3Event) => Awaitable<Outcome>,
) => Handler;

const NO_TOKEN = refused('no_token');

export function createAuthenticated(ports: AuthenticationPorts): Authenticated {
  const { authenticateToken, clientAddress, usage, refusalLog } = ports;

  function callerOf(request: IncomingMessage): Awaitable<BearerCaller | 'repeated'> {
    const credentials = bearerCredentials(request);
    if (typeof credentials === 'string') return credentials === 'none' ? NO_TOKEN : credentials;
    return andThen(hasTokenElsewhere(request), (hasOther) =>
      hasOther ? 'repeated' : authenticateToken(credentials.token, clientAddress(request)),
    );
  }

  function answerTo(caller: BearerCaller, event: H3Event, outcome: Outcome): Answer {
    if (outcome.ok) return withExpiry(caller, outcome.value);
    if (isAccessDenied(outcome.error)) {
      recordDenial(usage, caller, outcome.error);
      if (caller !== NO_TOKEN)
        refusalLog(event, caller.kind === 'refused' ? caller.reason : outcome.error.code);
    }
    return withExpiry(caller, answerRefusal(caller, outcome.error));
  }

  return (handler) => (event) =>
    andThen(callerOf(nodeRequest(event)), (caller) => {
      if (caller === 'repeated') return PROBLEM_ANSWERS.repeated_authorization;
      event.context.caller = caller;
      return andThen(handler(caller, event), (outcome) => answerTo(caller, event, outcome));
    });
}

/** Tells a caller without a token only that one is required. */
function answerRefusal(caller: BearerCaller, error: Refusal): Answer {
  const isMissing = caller === NO_TOKEN && error.code === 'token_not_accepted';
  return isMissing ? PROBLEM_ANSWERS.token_required : refusal(error);
}

/** Adds the token's expiry, if it has one, to every response. */
function withExpiry(caller: BearerCaller, answer: Answer): Answer {
  if (caller.kind === 'refused' || caller.token.expiresAt === null) return answer;
  return withHeader(answer, ['x-token-expires-at', formatInstant(caller.token.expiresAt)]);
}

declare module 'h3' {
  interface H3EventContext {
    /** For the log. */
    caller?: BearerCaller;
  }
}
