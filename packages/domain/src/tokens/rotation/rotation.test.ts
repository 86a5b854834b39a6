import { describe, expect, test } from 'vitest';
import { aRevocation, aTokenId, aTokenRecord, START } from '../../../testing/index.ts';
import { addMilliseconds } from '../../time/instant.ts';
import type { Token, TokenId } from '../token.ts';
import { rotationProblem } from './rotation.ts';

const HOUR = 3_600_000;
const NOW = addMilliseconds(START, HOUR);

describe('a token can be rotated', () => {
  const problem = (parts: Partial<Token>, successor: TokenId | null = null, predecessor?: Token) => {
    return rotationProblem({ ...aTokenRecord(parts), successor }, predecessor, NOW);
  };

  test('while it is a live API token', () => {
    expect(problem({})).toBeUndefined();
    expect(problem({ expiresAt: addMilliseconds(NOW, 1) })).toBeUndefined();
    expect(problem({ kind: 'sign-in' })).toMatchObject({ reason: 'sign_in' });
    expect(problem({ expiresAt: NOW })).toMatchObject({ reason: 'expired' });
    expect(problem({ revocation: aRevocation(), expiresAt: NOW })).toMatchObject({ reason: 'revoked' });
  });

  test('once, unless its successor was revoked unused', () => {
    const successorId = aTokenId();
    expect(problem({}, successorId)).toMatchObject({ reason: 'being_replaced', successorId });
    const replaced = { replacedAt: START, expiresAt: addMilliseconds(NOW, HOUR) };
    expect(problem(replaced)).toMatchObject({ reason: 'being_replaced', successorId: null });
  });

  test('when it was made by a rotation, only after its first use, or when its predecessor has ended', () => {
    const predecessor = aTokenRecord();
    const replaces = { tokenId: predecessor.id, graceMs: 0 };
    const withPredecessor = (parts: Partial<Token>) =>
      problem({ replaces }, null, { ...predecessor, ...parts });
    expect(withPredecessor({})).toEqual({
      code: 'token_not_rotatable',
      reason: 'replaces_another',
      predecessorId: predecessor.id,
    });
    expect(withPredecessor({ replacedAt: START, expiresAt: addMilliseconds(NOW, HOUR) })).toBeUndefined();
    expect(withPredecessor({ revocation: aRevocation() })).toBeUndefined();
    expect(withPredecessor({ expiresAt: NOW })).toBeUndefined();
  });
});
