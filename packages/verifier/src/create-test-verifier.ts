import { checkWanted } from './check-options.ts';
import type { Verifier } from './create-verifier.ts';
import { bearerOf } from './token/bearer.ts';
import { type Caller, frozen, invalidToken, judge, unavailable } from './verdict/verdict.ts';

export interface TestVerifierOptions {
  /** The tokens that are accepted, and whose they are. Any text is a token here. */
  readonly tokens: Readonly<Record<string, Caller>>;
}

export interface TestVerifier extends Verifier {
  /** Refuses a token from now on. */
  revoke(token: string): void;
  /** Answers 503 from now on, as if Gatehouse could not be reached. */
  disconnect(): void;
}

/** A verifier for tests of a service. It decides from the given tokens, with the responses of a real one, without a network. */
export function createTestVerifier({ tokens }: TestVerifierOptions): TestVerifier {
  const callers = new Map(Object.entries(tokens).map(([token, caller]) => [token, frozen(caller)]));
  let isConnected = true;

  const verifyNow: Verifier['verifyNow'] = (carrier, wanted) => {
    checkWanted(wanted);
    const token = bearerOf(carrier);
    if (typeof token !== 'string') return token;
    if (!isConnected) return unavailable('disconnected by the test');
    const caller = callers.get(token);
    return caller ? judge(caller, wanted) : invalidToken();
  };

  return {
    verifyNow,
    verify: async (carrier, wanted) =>
      verifyNow(carrier, wanted) as NonNullable<ReturnType<typeof verifyNow>>,
    revoke: (token) => void callers.delete(token),
    disconnect() {
      isConnected = false;
    },
    state: () => ({ isFresh: isConnected, ageMs: isConnected ? 0 : undefined, tokens: callers.size }),
    close: async () => {},
  };
}
