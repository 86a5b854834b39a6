import { describe, expect, test } from 'vitest';
import { aRevocation, aTokenId, createWorld, givenAdmin, givenToken, START } from '../../../testing/index.ts';
import { addMilliseconds } from '../../time/instant.ts';
import { RECORD_REFUSALS } from '../refusal-reasons.ts';
import type { Token, TokenRecord } from '../token.ts';
import { NEVER_USED, type TokenUsage } from '../usage/token-usage.ts';
import { diagnoseToken, isAcceptedIn, TOKEN_STATES, type TokenDetails, tokenStatus } from './token-status.ts';

const world = await createWorld();
const user = await givenAdmin(world);
const { id } = await givenToken(world, user);
const record = (await world.tokens.findRecord(id)) as TokenRecord;

/** The same token with some parts changed. */
function entry(parts: Partial<Token> = {}, others: Partial<TokenDetails> = {}): TokenDetails {
  return { ...record, ...parts, usage: NEVER_USED, description: null, successor: null, ...others };
}

const at = (seconds: number) => addMilliseconds(START, 1000 * seconds);
const stateOf = (of: TokenDetails) => tokenStatus(of, at(10)).state;

describe('the state of a token', () => {
  test('is active if nothing refuses it', () => {
    expect(stateOf(entry())).toBe('active');
    expect(stateOf(entry({ expiresAt: at(11) }))).toBe('active');
  });

  test('is being_replaced while it is accepted beside its successor, whether that was used or not', () => {
    expect(stateOf(entry({}, { successor: aTokenId() }))).toBe('being_replaced');
    expect(stateOf(entry({ replacedAt: at(5), expiresAt: at(11) }))).toBe('being_replaced');
  });

  test('is the reason of its refusal first of all', () => {
    expect(stateOf(entry({ replacedAt: at(5), expiresAt: at(10) }))).toBe('expired');
    expect(stateOf(entry({ revocation: aRevocation() }, { successor: aTokenId() }))).toBe('revoked');
  });

  test('determines whether the token is accepted', () => {
    expect(TOKEN_STATES.filter(isAcceptedIn)).toEqual(['active', 'being_replaced']);
    expect(TOKEN_STATES.filter((state) => !isAcceptedIn(state))).toEqual([...RECORD_REFUSALS]);
  });
});

describe('why a token works or fails', () => {
  const explained = (of: TokenDetails) => diagnoseToken(tokenStatus(of, at(10)));
  const refusal = (seconds: number) =>
    ({ at: at(seconds), reason: 'insufficient_scope', from: null }) as const;
  const used = (lastUsedAt: TokenUsage['lastUsedAt'], lastRefusal: TokenUsage['lastRefusal']) =>
    explained(entry({}, { usage: { lastUsedAt, lastUsedFrom: null, lastRefusal } }));

  test('is its state if that refuses it', () => {
    expect(explained(entry({ revocation: aRevocation() }))).toEqual({ works: false, because: 'revoked' });
    expect(explained(entry({ expiresAt: at(10) }))).toEqual({ works: false, because: 'expired' });
    expect(explained(entry({}, { successor: aTokenId() }))).toEqual({ works: true, lastRefusal: null });
  });

  test('is its last refusal if it was not used since', () => {
    expect(used(null, null)).toEqual({ works: true, lastRefusal: null });
    expect(used(null, refusal(3))).toEqual({ works: true, lastRefusal: refusal(3) });
    expect(used(at(2), refusal(3))).toEqual({ works: true, lastRefusal: refusal(3) });
    // One request can be both: the token is accepted, but not allowed what was asked for.
    expect(used(at(3), refusal(3))).toEqual({ works: true, lastRefusal: refusal(3) });
    expect(used(at(4), refusal(3))).toEqual({ works: true, lastRefusal: null });
  });
});
