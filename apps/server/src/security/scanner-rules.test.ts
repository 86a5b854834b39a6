import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Instant } from '@gatehouse/domain/time';
import { TOKEN_KINDS, type TokenClaims, type TokenId, type TokenSigner } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { createJwtTokenSigner } from '@gatehouse/token-jwt';
import { createPasetoTokenSigner } from '@gatehouse/token-paseto';
import { describe, expect, test } from 'vitest';

const DOCS = new URL('../../../../docs/', import.meta.url);
const RULES = readFileSync(new URL('administer/gatehouse.gitleaks.toml', DOCS), 'utf8');

const rules = RULES.split('[[rules]]')
  .slice(1)
  .map((rule) => ({
    id: /^id = "(.*)"$/m.exec(rule)?.[1] ?? '',
    regex: /^regex = '''(.*)'''$/m.exec(rule)?.[1] ?? '',
    keyword: /^keywords = \["(.*)"\]$/m.exec(rule)?.[1] ?? '',
  }));

/** As gitleaks does: a text that has a rule's keyword in any case is searched by its expression. */
function find(text: string): readonly string[] {
  return rules
    .filter(({ keyword }) => text.toLowerCase().includes(keyword))
    .flatMap(({ regex }) => Array.from(text.matchAll(new RegExp(regex, 'g')), ([found]) => found));
}

const STARTED = Date.parse('2026-01-01T00:00:00Z');

const CLAIMS: readonly TokenClaims[] = [1, 42, 2 ** 53 - 1].flatMap((subject) =>
  TOKEN_KINDS.flatMap((kind) =>
    [null, (STARTED + 86_400_000) as Instant].map((expiresAt) => ({
      issuer: 'gatehouse',
      audience: 'gatehouse-api',
      subject: subject as UserId,
      tokenId: randomUUID() as string as TokenId,
      issuedAt: STARTED as Instant,
      expiresAt,
      kind,
    })),
  ),
);

const SIGNERS: readonly TokenSigner[] = [createPasetoTokenSigner(), createJwtTokenSigner()];

describe.each(SIGNERS)('the rules for scanners find tokens of the format $format', (signer) => {
  test('all of each, in whatever stands around it, and no part of one', async () => {
    const key = await signer.generateKey();
    for (const claims of CLAIMS) {
      const token = await signer.sign(claims, key);
      for (const text of [
        token,
        `TOKEN="${token}"`,
        `Authorization: Bearer ${token}\n`,
        `{"t":"${token}"}`,
      ]) {
        expect(find(text)).toEqual([token]);
      }
      expect(find(token.slice(0, -1))).toEqual([]);
      expect(find(token.slice(1))).toEqual([]);
    }
    expect(CLAIMS.length).toBeGreaterThan(10);
  });

  test('and no tokens of another issuer', async () => {
    const key = await signer.generateKey();
    for (const claims of CLAIMS) {
      expect(find(await signer.sign({ ...claims, issuer: 'gatehouse.example' }, key))).toEqual([]);
      expect(find(await signer.sign({ ...claims, audience: 'another' }, key))).toEqual([]);
    }
  });
});

test('the rules for scanners find nothing else', () => {
  const corpus = [
    // RFC 7519 section 3.1, RFC 8037 appendix A.4, and the test vector 4-S-1 of PASETO.
    'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    'v4.public.eyJkYXRhIjoidGhpcyBpcyBhIHNpZ25lZCBtZXNzYWdlIiwiZXhwIjoiMjAyMi0wMS0wMVQwMDowMDowMCswMDowMCJ9bg_XBBzds8lTZShVlwwKSgeKpLT3yukTw6JUz3W4h_ExsQV-P0V54zemZDcAxFaSeef1QlXEFtkqxT1ciiQEDA',
    ...Array.from({ length: 1000 }, (_, size) => randomBytes(size).toString('base64url')),
    ...Array.from({ length: 1000 }, (_, size) => `v4.public.${randomBytes(size).toString('base64url')}`),
    ...Array.from({ length: 1000 }, () => randomUUID()),
    ...readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:md|json|toml)$/.test(file))
      .map((file) => readFileSync(new URL(file, DOCS), 'utf8')),
  ];
  expect(corpus.flatMap(find)).toEqual([]);
  expect(corpus.length).toBeGreaterThan(3000);
});

test('the rules for scanners are written in what RE2 has', () => {
  expect(rules.map(({ id }) => id)).toEqual(['gatehouse-paseto', 'gatehouse-jwt']);
  for (const { regex, keyword } of rules) {
    expect(regex).not.toMatch(/\(\?[=!<]|\\[1-9]|[*+?}]\+/);
    // More repetitions than 1,000 are refused.
    for (const [, most] of regex.matchAll(/,(\d+)\}/g)) expect(Number(most)).toBeLessThanOrEqual(1000);
    expect(keyword).toBe(keyword.toLowerCase());
  }
});
