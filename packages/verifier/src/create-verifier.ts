import { checkOptions, checkWanted } from './check-options.ts';
import { type Moment, readClocks } from './core/clocks.ts';
import { createKnowledge } from './core/knowledge.ts';
import { createMemory } from './core/memory.ts';
import { createExpiryTeller, type OnExpiresSoon } from './expires-soon.ts';
import { expiryOf } from './expiry.ts';
import { createGatehouse } from './gatehouse.ts';
import { type ActiveToken, introspect, NoAnswer } from './questions/introspect.ts';
import { createQuestions } from './questions/questions.ts';
import { createRefusedTokens } from './questions/refused-tokens.ts';
import { askAgain } from './refresh/ask-again.ts';
import { createRefresh } from './refresh/refresh-forgotten.ts';
import { createServerClock } from './server-clock.ts';
import { followChanges } from './stream/follow-changes.ts';
import { bearerOf, type Carrier } from './token/bearer.ts';
import { createKeyRing } from './token/key-ring.ts';
import { keyOf } from './token/token-key.ts';
import { outcomeOf } from './uses/outcome.ts';
import { createUseReports } from './uses/report-uses.ts';
import { judgeToken } from './verdict/judge-token.ts';
import { invalidToken, unavailable, type Verdict, type Wanted } from './verdict/verdict.ts';

export interface VerifierOptions {
  /** Where Gatehouse is, such as `https://gatehouse.example`. */
  readonly url: string;
  /** The credential of this service, `ghs_...`. */
  readonly credential: string;
  /** While the verifier cannot prove that it heard of every change: ask Gatehouse for each request, or answer 503. */
  readonly whenStale?: 'ask' | 'refuse';
  /**
   * The longest time for which a revoked token may be accepted, in milliseconds. The server's is used if it is less.
   */
  readonly maxStalenessMs?: number;
  /** How many tokens are remembered. */
  readonly maxTokens?: number;
  /** How many questions to Gatehouse may be under way. A request that needs one more gets 503. */
  readonly maxQuestions?: number;
  /**
   * Called once for each accepted token that expires within 14 days. No request waits for it, and its errors are ignored.
   */
  readonly onExpiresSoon?: OnExpiresSoon;
}

export interface Verifier {
  /** Decides about a request. Rejects only with a TypeError if no scope is passed. */
  verify(carrier: Carrier, wanted: Wanted): Promise<Verdict>;
  /** Decides without a promise; undefined if Gatehouse has to be asked. Then call `verify`. */
  verifyNow(carrier: Carrier, wanted: Wanted): Verdict | undefined;
  /** For a health page or a metric of the service. It asks nothing. */
  state(): VerifierState;
  /**
   * Ends the connection to Gatehouse, after the uses of tokens that are not reported yet were. Call it when the last
   * request has its verdict. Never rejects, and takes 10 seconds at most.
   */
  close(): Promise<void>;
}

/** Whether a verifier decides from memory. */
export interface VerifierState {
  /** Whether tokens are decided from memory now. */
  readonly isFresh: boolean;
  /**
   * How long ago all changes were known, in milliseconds; normally less than 500, and fresh up to `maxStalenessMs`.
   * Undefined if Gatehouse did not prove anything in the last seconds.
   */
  readonly ageMs: number | undefined;
  /** How many tokens are remembered. Some of them may have changed since. */
  readonly tokens: number;
}

/** The parts that tests replace. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  readonly now: () => Moment;
  readonly after: (ms: number, callback: () => void) => () => void;
}

const SURROUNDINGS: Surroundings = {
  fetch: (...request) => fetch(...request),
  now: readClocks,
  after(ms, callback) {
    // A busy machine can be so late that the time is over before the timer is set. Node warns of negative times.
    const timer = setTimeout(callback, Math.max(0, ms)).unref();
    return () => clearTimeout(timer);
  },
};

/** Creates a verifier of the tokens of Gatehouse for a service. It follows the changes until it is closed. */
export function createVerifier(options: VerifierOptions, surroundings = SURROUNDINGS): Verifier {
  const { whenStale, maxStalenessMs, maxTokens, maxQuestions } = checkOptions(options);
  const { fetch, now, after } = surroundings;
  const monotonic = () => now().monotonic;
  const gatehouse = createGatehouse({ ...options, fetch });
  const keys = createKeyRing(gatehouse, monotonic);
  const memory = createMemory<ActiveToken>(maxTokens);
  const knowledge = createKnowledge<ActiveToken>({
    memory,
    now,
    maxStalenessMs,
    onForgotten: (answers) => refresh.add(answers),
  });
  const refresh = createRefresh({
    knowledge,
    askAgain: (ids) => askAgain(gatehouse, ids, maxStalenessMs),
    after,
    maxTokens,
  });
  const tellExpiry = createExpiryTeller(options.onExpiresSoon, maxTokens);
  const refused = createRefusedTokens(maxTokens, monotonic);
  const clock = createServerClock(now);
  const question = createQuestions({
    knowledge,
    introspect: (asked) => introspect(gatehouse, asked, maxStalenessMs),
    maxUnderWay: maxQuestions,
    onInactive(key) {
      refused.add(key);
      // While the knowledge was too old, Gatehouse may have refused a token that is still remembered.
      memory.forget(key);
    },
  });
  const uses = createUseReports({ gatehouse, now: monotonic, timeOf: clock.timeOf, after });
  const following = followChanges({ gatehouse, open: knowledge.open, onProof: clock.set, after });

  function decide(key: string, wanted: Wanted): Verdict | undefined {
    // One reading for all steps: the clocks took a third of the time of a check.
    const at = now();
    const known = knowledge.recall(key, at);
    const expiry = known && expiryOf(known.expiresAt, () => knowledge.latestTime(at));
    if (known && expiry === 'valid') {
      const verdict = judgeToken(known, wanted);
      if (verdict.ok) tellExpiry(known, at.wall);
      return counted(verdict, known, wanted, at.monotonic);
    }
    if (known && expiry === 'expired') return counted(invalidToken(), known, wanted, at.monotonic);
    return refused.has(key) ? invalidToken() : undefined;
  }

  function counted(
    verdict: Verdict,
    { caller }: ActiveToken,
    { clientAddress }: Wanted,
    at: number,
  ): Verdict {
    uses.count(caller.token, outcomeOf(verdict), clientAddress, at);
    return verdict;
  }

  async function ask(token: string, key: string, wanted: Wanted): Promise<Verdict> {
    const signature = await keys.follow(token);
    if (signature === 'invalid') return invalidToken();
    if (signature === 'unknown') return unavailable('the keys of Gatehouse are not known');
    if (whenStale === 'refuse' && !knowledge.isFresh())
      return unavailable('the changes of Gatehouse are not known');
    try {
      const { answer, isOwn } = await question(key, { token, clientAddress: wanted.clientAddress });
      if (answer === 'inactive') return invalidToken();
      const verdict = judgeToken(answer, wanted);
      if (verdict.ok) tellExpiry(answer, now().wall);
      // Gatehouse counted the question as a use, or as a refusal of the address. It does not know that the scope was
      // missing.
      return isOwn && (verdict.ok || verdict.isOfNetwork)
        ? verdict
        : counted(verdict, answer, wanted, monotonic());
    } catch (error) {
      if (error instanceof NoAnswer) return unavailable(error.message, error.retryAfter);
      throw error;
    }
  }

  return {
    async verify(carrier, wanted) {
      checkWanted(wanted);
      const token = bearerOf(carrier);
      if (typeof token !== 'string') return token;
      const key = keyOf(token);
      // `ask` checks the signature first.
      return decide(key, wanted) ?? ask(token, key, wanted);
    },
    verifyNow(carrier, wanted) {
      checkWanted(wanted);
      const token = bearerOf(carrier);
      if (typeof token !== 'string') return token;
      return decide(keyOf(token), wanted) ?? (keys.check(token) === 'invalid' ? invalidToken() : undefined);
    },
    state: () => ({ isFresh: knowledge.isFresh(), ageMs: knowledge.age(), tokens: memory.size }),
    close() {
      following.stop();
      refresh.stop();
      return uses.close();
    },
  };
}
