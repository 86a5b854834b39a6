import { checkWanted } from './check-options.ts';
import type { Verifier } from './create-verifier.ts';
import { parseNetwork } from './networks/networks.ts';
import { bearerOf } from './token/bearer.ts';
import { judgeToken } from './verdict/judge-token.ts';
import { type Caller, frozen, invalidToken, unavailable } from './verdict/verdict.ts';

/** Whose a token is, and from where it may be used. */
export interface TestToken extends Caller {
  /** The networks from which the token may be used, such as `203.0.113.0/24`. Default: everywhere. */
  readonly networks?: readonly string[];
}

export interface TestVerifierOptions {
  /** The tokens that are accepted. Any text is a token here. */
  readonly tokens: Readonly<Record<string, TestToken>>;
}

export interface TestVerifier extends Verifier {
  /** Refuses a token from now on. */
  revoke(token: string): void;
  /** Answers 503 from now on, as if Gatehouse could not be reached. */
  disconnect(): void;
}

/**
 * A verifier for tests of a service. It decides from the given tokens, with the responses of a real one, and calls no
 * server.
 *
 * @throws TypeError if a network is not one in CIDR notation
 */
export function createTestVerifier({ tokens }: TestVerifierOptions): TestVerifier {
  const known = new Map(
    Object.entries(tokens).map(([token, { networks, ...caller }]) => [
      token,
      { caller: frozen(caller), networks: networks?.map(parseNetwork) },
    ]),
  );
  let isConnected = true;

  const verifyNow: Verifier['verifyNow'] = (carrier, wanted) => {
    checkWanted(wanted);
    const token = bearerOf(carrier);
    if (typeof token !== 'string') return token;
    if (!isConnected) return unavailable('disconnected by the test');
    const found = known.get(token);
    return found ? judgeToken(found, wanted) : invalidToken();
  };

  return {
    verifyNow,
    verify: async (carrier, wanted) =>
      verifyNow(carrier, wanted) as NonNullable<ReturnType<typeof verifyNow>>,
    revoke: (token) => void known.delete(token),
    disconnect() {
      isConnected = false;
    },
    state: () => ({ isFresh: isConnected, ageMs: isConnected ? 0 : undefined, tokens: known.size }),
    close: async () => {},
  };
}
