import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Instant } from '../time/instant.ts';
import { parseRecoveryCode } from './recovery-code.ts';
import { MAX_WRONG_CODES, pausedUntil, recentWrong, WRONG_WINDOW_MS } from './second-factor.ts';
import { acceptedSteps, base32, otpauthUri, parseTotpCode, totpStep } from './totp.ts';

const instants = fc.integer({ min: 0, max: 4_000_000_000_000 }).map((ms) => ms as Instant);

test('a code is right from 30 seconds before its step to 30 seconds after it', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -120_000, max: 120_000 }), (now, skew) => {
      const shown = totpStep((now + skew) as Instant);
      const steps = Math.floor((now + skew) / 30_000) - Math.floor(now / 30_000);
      expect(acceptedSteps(now).includes(shown)).toBe(Math.abs(steps) <= 1);
    }),
  );
});

test.each([
  ['123456', '123456'],
  [' 123 456\n', '123456'],
  ['12345', undefined],
  ['1234567', undefined],
  ['１２３４５６', undefined],
  ['-12345', undefined],
  ['', undefined],
])('the code %j is read as %j', (text, code) => {
  expect(parseTotpCode(text)).toBe(code);
});

test.each([
  ['0000-1111-2222-ABCD-WXYZ-9999', '000011112222ABCDWXYZ9999'],
  ['o000 iL11 2222 abcd wxyz 9999', '000011112222ABCDWXYZ9999'],
  ['0000-1111-2222-ABCD-WXYZ-999', undefined],
  ['0000-1111-2222-ABCD-WXYZ-999U', undefined],
  ['123456', undefined],
])('the recovery code %j is read as %j', (text, code) => {
  expect(parseRecoveryCode(text)).toBe(code);
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %j in base32, as in RFC 4648 section 10', (text, encoded) => {
  expect(base32(new TextEncoder().encode(text))).toBe(encoded);
});

test('the address for apps names the installation, the user and the parameters', () => {
  const uri = new URL(otpauthUri('Gatehouse: acme', 'ada+1@acme.example', 'MZXW6'));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Gatehouse  acme:ada+1@acme.example',
  ]);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'MZXW6',
    issuer: 'Gatehouse  acme',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

describe('wrong codes', () => {
  test('of any sequence, at most five are tried within 15 minutes, and each pause ends', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: WRONG_WINDOW_MS }), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, (all) => {
        let wrong: readonly Instant[] = [];
        const tried: Instant[] = [];
        let now = 1_000_000_000 as Instant;
        for (const gap of all) {
          now = (now + gap) as Instant;
          const until = pausedUntil(wrong, now);
          if (until !== undefined) {
            expect(until).toBeGreaterThan(now);
            expect(until - now).toBeLessThanOrEqual(WRONG_WINDOW_MS);
            expect(pausedUntil(wrong, until)).toBeUndefined();
            continue;
          }
          tried.push(now);
          wrong = [...recentWrong(wrong, now), now].slice(-MAX_WRONG_CODES);
        }
        for (const [index, at] of tried.entries()) {
          const sixth = tried[index + MAX_WRONG_CODES];
          if (sixth !== undefined) expect(sixth - at).toBeGreaterThanOrEqual(WRONG_WINDOW_MS);
        }
      }),
    );
  });
});
