import { type Edit, type Mutation, mutation } from '../mutation.ts';

const JWT = 'packages/token-jwt/src/jwt-token-signer.ts';
const JWT_HEADER = 'packages/token-jwt/src/jwt-token-signer.ts';
const JWT_CLAIMS = 'packages/token-jwt/src/jwt-token-signer.ts';
const PASETO = 'packages/token-paseto/src/paseto-token-signer.ts';
const PASETO_FOOTER = 'packages/token-paseto/src/paseto-token-signer.ts';
const CALLER = 'packages/domain/src/tokens/authentication/authenticate-token.ts';
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

const VERIFY_JWT =
  'if (!verifyEd25519(signature, Buffer.from(token.slice(0, end)), publicKey)) return undefined;';

/** The validity of a token: requirements 6 to 16, and 54. */
export const TOKENS: readonly Mutation[] = [
  mutation([6], 'A JWT may have padding and trailing bits.', { file: JWT, find: ' || !isCanonical(token)' }),
  mutation([7], 'A payload may have any JSON encoding.', [
    {
      file: JWT_CLAIMS,
      find: 'claims && Buffer.compare(toPayload(claims), payload) === 0',
      replace: 'claims',
    },
    { file: PASETO, find: 'claims && isSpelledAsSigned(token, claims)', replace: 'claims' },
  ]),
  mutation([7], 'A payload that is not JSON is a fault.', {
    file: JWT_CLAIMS,
    find: 'catch {\n    return {};',
    replace: 'catch (error) {\n    throw error;',
  }),
  mutation([8], 'Any version and purpose is accepted as v4.public.', [
    { file: PASETO_FOOTER, find: ' || !token.startsWith(HEADER)' },
    {
      file: PASETO,
      find: 'protocol.Verify(toPublicKey(key), token,',
      replace: "protocol.Verify(toPublicKey(key), token.replace(/^[^.]*\\.[^.]*\\./, 'v4.public.'),",
    },
  ]),
  mutation([9], 'An unknown key id matches any key.', [
    {
      file: 'packages/domain/src/signing-keys/key-ring.ts',
      find: 'await loading;\n    return known.get(id);',
      replace:
        'await loading;\n    return known.get(id) ?? [...known.values()].find(({ format }) => format === (id.startsWith("k4") ? "paseto" : "jwt"));',
    },
    { file: JWT, find: ' || keyIdOf(token) !== key.id' },
    { file: PASETO, find: ' || keyIdOf(token) !== key.id' },
  ]),
  mutation([9], 'A footer may have more than the key id, in any encoding.', {
    file: PASETO_FOOTER,
    find: 'if (token.length > TOKEN_MAX_LENGTH || !token.startsWith(HEADER)) return undefined;',
    replace: lenientKeyId("token.split('.')[3]"),
  }),
  mutation([9], 'A token may have any length.', [
    { file: JWT_HEADER, find: 'token.length > TOKEN_MAX_LENGTH || ' },
    { file: PASETO_FOOTER, find: 'token.length > TOKEN_MAX_LENGTH || ' },
  ]),
  mutation([10], 'Signatures are not verified.', [
    {
      file: JWT,
      find: VERIFY_JWT,
    },
    { file: JWT, find: ' || !isCanonical(token)' },
    {
      file: PASETO,
      find: '(await protocol.Verify(toPublicKey(key), token, ANY_TIME)).claims',
      replace:
        "JSON.parse(Buffer.from(token.split('.')[2] ?? '', 'base64url').subarray(0, -SIGNATURE_LENGTH).toString())",
    },
  ]),
  mutation([11], 'A JWT with any other algorithm is accepted unverified.', [
    ANY_JWT_HEADER,
    {
      file: JWT,
      find: "key.format !== 'jwt' || keyIdOf(token) !== key.id || !isCanonical(token)",
      replace: 'false',
    },
    {
      file: JWT,
      find: VERIFY_JWT,
      replace: `${READ_JWT_HEADER} if (header.alg !== undefined && header.alg !== 'EdDSA') return payload;\n  ${VERIFY_JWT}`,
    },
  ]),
  mutation([11], 'A JWT is verified with a key that it contains.', [
    ANY_JWT_HEADER,
    {
      file: JWT,
      find: VERIFY_JWT,
      replace: `${READ_JWT_HEADER} ${VERIFY_JWT.replace('publicKey', "header.jwk ? Buffer.from(header.jwk.x, 'base64url') : publicKey")}`,
    },
  ]),
  mutation([12], 'Claims are not compared with the record.', {
    file: CALLER,
    find: "if (!claimsMatch(claims, token, context.issuer)) return refused('claims_mismatch');",
  }),
  mutation([13], 'The expiry is not checked.', {
    file: REFUSALS,
    find: 'expiresAt !== null && now >= expiresAt',
    replace: 'expiresAt !== null && now < 0',
  }),
  mutation([13], 'A token is still accepted at the moment of its expiry.', {
    file: REFUSALS,
    find: 'now >= expiresAt',
    replace: 'now > expiresAt',
  }),
  mutation([13, 14], 'The revocation is not checked.', {
    file: REFUSALS,
    find: 'revocation !== null }',
    replace: 'revocation === undefined }',
  }),
  mutation([14], 'A cached record outlives a change of its token.', {
    file: 'packages/cache/src/cached-token-records.ts',
    find: "case 'token':\n          held.delete(change.id);",
    replace: "case 'token':",
  }),
  mutation([15], 'Token ids repeat.', {
    file: 'packages/installation/src/system-ports.ts',
    find: 'v7() as TokenId',
    replace: 'v7({ msecs: 0, seq: 0, random: new Uint8Array(16) }) as TokenId',
  }),
  mutation([15], 'The database accepts two tokens with one id.', {
    file: 'packages/postgres/src/migrations/0004-known-addresses.ts',
    find: 'export const up = script(sql`',
    replace: 'export const up = script(sql`\n    alter table tokens drop constraint tokens_pkey cascade;',
  }),
  mutation([16], 'The state of the key is not checked.', {
    file: REFUSALS,
    find: "keyState === 'retired' }",
    replace: 'keyState === undefined }',
  }),
  mutation([16], 'Neither the state of the key nor the revocation is checked.', [
    { file: REFUSALS, find: "keyState === 'retired' }", replace: 'keyState === undefined }' },
    { file: REFUSALS, find: 'revocation !== null }', replace: 'revocation === undefined }' },
  ]),
  mutation([54], 'The end of a token can be moved later.', {
    file: 'packages/domain/src/tokens/administration/token-changes.ts',
    find: 'end !== undefined && token.expiresAt !== null && end > token.expiresAt',
    replace: "token.expiresAt !== null && token.name === ''",
  }),
  mutation([54], 'A successor may outlive a token that was shortened meanwhile.', {
    file: 'packages/domain/src/tokens/rotation/rotation.ts',
    find: 'return isSame && (',
    replace: 'return name.length > 0 || (',
  }),
  mutation([111], 'An admin who was demoted meanwhile revokes a token.', {
    file: 'packages/postgres/src/tokens/token-repository.ts',
    find: 'if (!(await actorMayAct(tx, event)))',
    replace: 'if (!(await actorMayAct(tx, event)) && event.accountId === null)',
  }),
  mutation([111], 'An admin who was demoted meanwhile renames a token.', {
    file: 'packages/postgres/src/tokens/update-token.ts',
    find: 'if (!(await actorMayAct(tx, audit(unlocked, unlocked))))',
    replace: 'if (!(await actorMayAct(tx, audit(unlocked, unlocked))) && at < 0)',
  }),
];
