import type { Edit, Mutation } from '../mutation.ts';

const JWT = 'packages/token-jwt/src/jwt-token-signer.ts';
const JWT_HEADER = 'packages/token-jwt/src/header.ts';
const JWT_CLAIMS = 'packages/token-jwt/src/claims.ts';
const PASETO = 'packages/token-paseto/src/paseto-token-signer.ts';
const PASETO_FOOTER = 'packages/token-paseto/src/footer.ts';
const CALLER = 'packages/domain/src/tokens/authentication/token-caller.ts';
const REFUSALS = 'packages/domain/src/tokens/refusal-reasons.ts';

/** Parses the key id from any JSON, instead of comparing the header or footer with its only encoding. */
const lenientKeyId = (part: string) =>
  `try { const { kid } = JSON.parse(Buffer.from(${part} ?? '', 'base64url').toString()); if (KEY_ID.test(kid)) return kid; } catch {}`;

const ANY_JWT_HEADER: Edit = {
  file: JWT_HEADER,
  find: "if (token.length > TOKEN_MAX_LENGTH || token[HEADER_LENGTH] !== '.') return undefined;",
  replace: `${lenientKeyId("token.split('.')[0]")} if (token[HEADER_LENGTH] !== '.') return undefined;`,
};

const READ_JWT_HEADER =
  "let header: any = {}; try { header = Object(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())); } catch {} const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url');";

const IMPORT_KEY = 'const publicKey = await importPublicKey(key);\n  try {\n    return (await compactVerify';

/** The validity of a token: requirements 6 to 16. */
export const TOKENS: readonly Mutation[] = [
  {
    requirements: [6],
    change: 'A JWT may have padding and trailing bits.',
    edits: [{ file: JWT, find: ' || !isCanonical(token)', replace: '' }],
  },
  {
    requirements: [7],
    change: 'A payload may have any JSON encoding.',
    edits: [
      {
        file: JWT_CLAIMS,
        find: 'claims && Buffer.compare(toPayload(claims), payload) === 0',
        replace: 'claims',
      },
      { file: PASETO, find: 'claims && isSpelledAsSigned(token, claims)', replace: 'claims' },
    ],
  },
  {
    requirements: [7],
    change: 'A payload that is not JSON is a fault.',
    edits: [
      { file: JWT_CLAIMS, find: 'catch {\n    return {};', replace: 'catch (error) {\n    throw error;' },
    ],
  },
  {
    requirements: [8],
    change: 'Any version and purpose is accepted as v4.public.',
    edits: [
      { file: PASETO_FOOTER, find: ' || !token.startsWith(HEADER)', replace: '' },
      {
        file: PASETO,
        find: 'protocol.Verify(publicKey, token,',
        replace: "protocol.Verify(publicKey, token.replace(/^[^.]*\\.[^.]*\\./, 'v4.public.'),",
      },
    ],
  },
  {
    requirements: [9],
    change: 'An unknown key id matches any key.',
    edits: [
      {
        file: 'packages/domain/src/signing-keys/key-ring.ts',
        find: 'await loading;\n      return known.get(id);',
        replace:
          'await loading;\n      return known.get(id) ?? [...known.values()].find(({ format }) => format === (id.startsWith("k4") ? "paseto" : "jwt"));',
      },
      { file: JWT, find: ' || keyIdOf(token) !== key.id', replace: '' },
      { file: PASETO, find: ' || keyIdOf(token) !== key.id', replace: '' },
    ],
  },
  {
    requirements: [9],
    change: 'A footer may have more than the key id, in any encoding.',
    edits: [
      {
        file: PASETO_FOOTER,
        find: 'if (token.length > TOKEN_MAX_LENGTH || !token.startsWith(HEADER)) return undefined;',
        replace: lenientKeyId("token.split('.')[3]"),
      },
    ],
  },
  {
    requirements: [9],
    change: 'A token may have any length.',
    edits: [
      { file: JWT_HEADER, find: 'token.length > TOKEN_MAX_LENGTH || ', replace: '' },
      { file: PASETO_FOOTER, find: 'token.length > TOKEN_MAX_LENGTH || ', replace: '' },
    ],
  },
  {
    requirements: [10],
    change: 'Signatures are not verified.',
    edits: [
      {
        file: JWT,
        find: "(await compactVerify(token, publicKey, { algorithms: ['EdDSA'] })).payload",
        replace: "Buffer.from(token.split('.')[1] ?? '', 'base64url')",
      },
      { file: JWT, find: ' || !isCanonical(token)', replace: '' },
      {
        file: PASETO,
        find: '(await protocol.Verify(publicKey, token, ANY_TIME)).claims',
        replace:
          "JSON.parse(Buffer.from(token.split('.')[2] ?? '', 'base64url').subarray(0, -SIGNATURE_LENGTH).toString())",
      },
    ],
  },
  {
    requirements: [11],
    change: 'A JWT with any other algorithm is accepted unverified.',
    edits: [
      ANY_JWT_HEADER,
      {
        file: JWT,
        find: "key.format !== 'jwt' || keyIdOf(token) !== key.id || !isCanonical(token)",
        replace: 'false',
      },
      {
        file: JWT,
        find: IMPORT_KEY,
        replace: `${READ_JWT_HEADER} if (header.alg !== undefined && header.alg !== 'EdDSA') return payload;\n  ${IMPORT_KEY}`,
      },
    ],
  },
  {
    requirements: [11],
    change: 'A JWT is verified with a key that it contains.',
    edits: [
      ANY_JWT_HEADER,
      {
        file: JWT,
        find: IMPORT_KEY,
        replace: `${READ_JWT_HEADER} const publicKey = header.jwk ? await (await import('jose')).importJWK(header.jwk, 'EdDSA') : await importPublicKey(key);\n  try {\n    return (await compactVerify`,
      },
    ],
  },
  {
    requirements: [12],
    change: 'Claims are not compared with the record.',
    edits: [
      {
        file: CALLER,
        find: "if (!claimsMatch(claims, token, context.issuer)) return refused('claims_mismatch');",
        replace: '',
      },
    ],
  },
  {
    requirements: [13],
    change: 'The expiry is not checked.',
    edits: [
      {
        file: REFUSALS,
        find: 'expiresAt !== null && now >= expiresAt',
        replace: 'expiresAt !== null && now < 0',
      },
    ],
  },
  {
    requirements: [13],
    change: 'A token is still accepted at the moment of its expiry.',
    edits: [{ file: REFUSALS, find: 'now >= expiresAt', replace: 'now > expiresAt' }],
  },
  {
    requirements: [13, 14],
    change: 'The revocation is not checked.',
    edits: [{ file: REFUSALS, find: 'revocation !== null }', replace: 'revocation === undefined }' }],
  },
  {
    requirements: [14],
    change: 'A cached record outlives a change of its token.',
    edits: [
      {
        file: 'packages/cache/src/token-record-store.ts',
        find: "case 'token':\n          held.delete(change.id);",
        replace: "case 'token':",
      },
    ],
  },
  {
    requirements: [15],
    change: 'Token ids repeat.',
    edits: [
      {
        file: 'packages/installation/src/uuid-token-id-generator.ts',
        find: 'v7() as TokenId',
        replace: 'v7({ msecs: 0, seq: 0, random: new Uint8Array(16) }) as TokenId',
      },
    ],
  },
  {
    requirements: [15],
    change: 'The database accepts two tokens with one id.',
    edits: [
      {
        file: 'packages/postgres/src/migrations/0004-known-addresses.ts',
        find: 'export async function up(db: Kysely<unknown>): Promise<void> {',
        replace:
          'export async function up(db: Kysely<unknown>): Promise<void> {\n  await sql`alter table tokens drop constraint tokens_pkey cascade`.execute(db);',
      },
    ],
  },
  {
    requirements: [16],
    change: 'The state of the key is not checked.',
    edits: [{ file: REFUSALS, find: "keyState === 'retired' }", replace: 'keyState === undefined }' }],
  },
  {
    requirements: [16],
    change: 'Neither the state of the key nor the revocation is checked.',
    edits: [
      { file: REFUSALS, find: "keyState === 'retired' }", replace: 'keyState === undefined }' },
      { file: REFUSALS, find: 'revocation !== null }', replace: 'revocation === undefined }' },
    ],
  },
];
