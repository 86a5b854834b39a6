import type { Ports } from '../../ports.ts';
import { ok, type Result } from '../../result.ts';
import { type NoActiveKey, openActiveKey } from '../../signing-keys/active-key.ts';
import type { MasterKeyRejected } from '../../signing-keys/key-encryption.ts';
import { wholeSecond } from '../../time/instant.ts';
import type { Token, TokenFormat, TokenId } from '../token.ts';
import type { KeyPair, TokenSigner } from '../token-signer.ts';

export type MintTokenPorts = Ports<'signingKeys' | 'encryption' | 'signers' | 'ids' | 'issuer'>;

/** A token to be issued. `mintToken` determines its key and subject, and its id if it has none. */
type TokenDraft = Omit<Token, 'id' | 'keyId' | 'subject' | 'revocation' | 'replacedAt'> & {
  readonly id?: TokenId | undefined;
};

export interface MintedToken {
  readonly record: Token;
  /** The token itself, which is shown once and never stored. */
  readonly secret: string;
}

/** Signs a new token. It is not accepted before its record is stored. */
export async function mintToken(
  ports: MintTokenPorts,
  draft: TokenDraft,
): Promise<Result<MintedToken, NoActiveKey | MasterKeyRejected>> {
  const key = await openActiveKey(ports, draft.format);
  return key.ok ? ok(await mintTokenBy(key.value, ports, draft)) : key;
}

/** Signs a new token with this key, which must have the format of the draft. */
export async function mintTokenBy(
  key: KeyPair,
  ports: Pick<MintTokenPorts, 'signers' | 'ids' | 'issuer'>,
  draft: TokenDraft,
): Promise<MintedToken> {
  // JWT dates are whole seconds. Every format has whole seconds, so that the expiry in the token equals the expiry in
  // the record.
  const expiresAt = draft.expiresAt === null ? null : wholeSecond(draft.expiresAt);
  const record: Token = {
    ...draft,
    id: draft.id ?? ports.ids.next(),
    subject: draft.userId,
    keyId: key.id,
    expiresAt,
    revocation: null,
    replacedAt: null,
  };
  const { id: tokenId, subject, kind } = record;
  const issuedAt = wholeSecond(record.createdAt);
  const claims = { ...ports.issuer, tokenId, subject, kind, issuedAt, expiresAt };
  const secret = await signerOf(ports.signers, draft.format).sign(claims, key);
  return { record, secret };
}

/**
 * Returns the signer of a format. Throws if the program was put together without a signer of this format, which is a
 * bug.
 */
export function signerOf(signers: readonly TokenSigner[], format: TokenFormat): TokenSigner {
  const signer = signers.find((candidate) => candidate.format === format);
  if (!signer) throw new Error(`this program has no signer for ${format} tokens`);
  return signer;
}
