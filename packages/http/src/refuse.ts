import { recordDenial, type UsageRecorder } from '@gatehouse/domain/tokens';
import type { Answer } from './answer.ts';
import { NO_TOKEN } from './identify.ts';
import { PROBLEM_ANSWERS } from './problem.ts';
import { isAccessDenied, type Refusal, refusal } from './refusal.ts';
import type { HttpRequest } from './request.ts';

export interface RefusePorts {
  readonly usage: Pick<UsageRecorder, 'refused'>;
  readonly refusalLog: RefusalLog;
}

/** Logs each refused bearer token and each denied request, so that guessing leaves a trace. */
export type RefusalLog = (request: HttpRequest, reason: string) => void;

/** Answers an error. Records a denial with its token, and logs it. */
export function createRefuse({ usage, refusalLog }: RefusePorts) {
  return (request: HttpRequest, error: Refusal): Answer => {
    const { caller } = request;
    if (!caller || !isAccessDenied(error)) return refusal(error);
    recordDenial(usage, caller, error);
    if (caller !== NO_TOKEN) refusalLog(request, caller.kind === 'refused' ? caller.reason : error.code);
    // A caller without a token learns only that one is required.
    const isMissing = caller === NO_TOKEN && error.code === 'token_not_accepted';
    return isMissing ? PROBLEM_ANSWERS.token_required : refusal(error);
  };
}
