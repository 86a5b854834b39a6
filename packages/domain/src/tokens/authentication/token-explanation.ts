import type { TokenReport } from '../administration/token-report.ts';
import { isAcceptedIn } from '../administration/token-report.ts';
import type { StandingProblem } from '../administration/token-standing.ts';
import type { TokenUsage } from '../usage/token-usage.ts';

/** Whether an integration that has the token works, and if not, why. */
export type TokenExplanation =
  | {
      readonly works: true;
      /** The last refusal, if the token was not used since: it is accepted, and may not what is asked of it. */
      readonly lastRefusal: TokenUsage['lastRefusal'];
    }
  | { readonly works: false; readonly because: StandingProblem };

export function explainToken({ state, usage }: TokenReport): TokenExplanation {
  if (!isAcceptedIn(state)) return { works: false, because: state };
  const { lastUsedAt, lastRefusal } = usage;
  const isNewer = lastRefusal !== null && (lastUsedAt === null || lastRefusal.at > lastUsedAt);
  return { works: true, lastRefusal: isNewer ? lastRefusal : null };
}
