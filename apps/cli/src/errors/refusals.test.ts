import type { DomainError, DomainErrorCode } from '@gatehouse/domain';
import type { Instant } from '@gatehouse/domain/time';
import type { TokenId, TokenNotRotatable } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { refusal } from './refusals.ts';

const STATUSES: Readonly<Record<DomainErrorCode, number>> = {
  account_not_found: 3,
  ambiguous_token_name: 5,
  credentials_not_accepted: 4,
  email_taken: 5,
  hashing_busy: 1,
  insufficient_scope: 4,
  invalid_input: 2,
  creator_not_fit: 4,
  key_in_use: 5,
  key_not_found: 3,
  key_not_usable: 5,
  key_state_conflict: 5,
  key_too_young: 5,
  keys_changed: 5,
  last_admin: 5,
  master_key_rejected: 1,
  member_of_another_account: 5,
  no_active_key: 5,
  not_allowed: 4,
  not_found: 3,
  organization_not_found: 3,
  password_changed: 5,
  token_name_taken: 5,
  token_not_accepted: 4,
  token_not_found: 3,
  token_not_rotatable: 5,
  token_not_recognized: 3,
  too_many_attempts: 4,
  transfer_names_taken: 5,
  transfer_target_not_fit: 5,
  user_not_found: 3,
};

/** What the errors carry besides their code. */
const PARTS = {
  activatableAt: 0 as Instant,
  candidates: [],
  format: 'jwt',
  names: ['ERP', 'Wiki'],
  liveTokens: 3,
  needed: 'verify-only',
  problems: [{ field: 'expires_at', message: 'must be in the future' }],
  retirableAt: 0 as Instant,
  reason: 'expired',
  retryAfterSeconds: 9,
  scope: 'orgs:read',
  state: 'active',
  step: 'signature',
};

test.each(Object.entries(STATUSES))(
  '%s ends a command with %i, and says why in a sentence',
  (code, status) => {
    const ended = refusal({ ...PARTS, code } as DomainError);
    expect(ended.status).toBe(status);
    expect(ended.message).toMatch(/^[^\n]*[A-Za-z][^\n]*$/);
    expect(ended.message).not.toContain('undefined');
  },
);

test('wrong input is told by its option', () => {
  const ended = refusal({ code: 'invalid_input', problems: PARTS.problems });
  expect(ended.message).toBe('--expires-at must be in the future');
});

test.each<[Partial<TokenNotRotatable>, string]>([
  [{ reason: 'sign_in' }, 'signing in again'],
  [{ reason: 'revoked' }, 'has been revoked: create a new one'],
  [{ reason: 'expired' }, 'has expired: create a new one'],
  [{ reason: 'being_replaced', successorId: 'the-other' as TokenId }, 'by the-other. Rotate that one'],
  [{ reason: 'being_replaced', successorId: null }, 'has already been replaced'],
  [{ reason: 'replaces_another', predecessorId: 'the-other' as TokenId }, 'replaces the-other'],
])('a token that cannot be rotated (%j) is a conflict, with what to do instead', (reason, said) => {
  const ended = refusal({ code: 'token_not_rotatable', ...reason } as DomainError);
  expect(ended.status).toBe(5);
  expect(ended.message).toContain(said);
});

test('of very many names the first 20 are listed', () => {
  const names = Array.from({ length: 23 }, (_, index) => `Token ${index}`);
  const { message } = refusal({ code: 'transfer_names_taken', names });
  expect(message).toContain('"Token 0", "Token 1", ');
  expect(message).toContain('"Token 19", and 3 more.');
});
