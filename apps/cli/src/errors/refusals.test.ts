import type { DomainError, DomainErrorCode } from '@gatehouse/domain';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId, TokenNotRotatable } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { REFUSALS, refusal } from './refusals.ts';

/** The data of the errors besides their codes. */
const PARTS = {
  of: 'users',
  extension: 'shift-notes',
  title: 'The shift is over.',
  reaction: 'mail',
  position: 4,
  problem: 'no_tls',
  activatableAt: 0 as Instant,
  allowed: ['orgs:read'],
  anchor: 9,
  candidates: [],
  ends: 5,
  expiresAt: 0 as Instant,
  first: 3,
  format: 'jwt',
  names: ['ERP', 'Wiki'],
  last: 7,
  line: 4,
  maxLifetimeMs: 86_400_000,
  liveTokens: 3,
  needed: 'verify-only',
  programs: [],
  refused: ['*'],
  problems: [{ field: 'expires_at', message: 'must be in the future' }],
  retirableAt: 0 as Instant,
  reason: 'expired',
  retryAfterSeconds: 9,
  scope: 'orgs:read',
  state: 'active',
  step: 'signature',
  undecided: [{ id: 12 as UserId, name: 'ERP' }],
  successorId: '019a0000-0000-7000-8000-000000000000',
};

test.each(Object.keys(REFUSALS) as DomainErrorCode[])('%s is explained in one line', (code) => {
  const { message } = refusal({ ...PARTS, code } as DomainError);
  expect(message).toMatch(/^[^\n]*[A-Za-z][^\n]*$/);
  expect(message).not.toContain('undefined');
});

test.each<[Partial<TokenNotRotatable>, string]>([
  [{ reason: 'sign_in' }, 'signing in again'],
  [{ reason: 'revoked' }, 'has been revoked: create a new one'],
  [{ reason: 'expired' }, 'has expired: create a new one'],
  [
    { reason: 'being_replaced', successorId: 'the-other' as TokenId },
    'by the-other. Rotate that token instead',
  ],
  [{ reason: 'being_replaced', successorId: null }, 'has already been replaced'],
  [{ reason: 'replaces_another', predecessorId: 'the-other' as TokenId }, 'replaces the-other'],
])('a token that cannot be rotated (%j) is a conflict, with what to do instead', (reason, said) => {
  const ended = refusal({ code: 'token_not_rotatable', ...reason } as DomainError);
  expect(ended.status).toBe(5);
  expect(ended.message).toContain(said);
});

test('of many names the first 20 are listed', () => {
  const names = Array.from({ length: 23 }, (_, index) => `Token ${index}`);
  const { message } = refusal({ code: 'transfer_names_taken', names });
  expect(message).toContain('"Token 0", "Token 1", ');
  expect(message).toContain('"Token 19", and 3 more.');
});
