import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../src/result.ts';
import type { KeyEncryption } from '../../src/signing-keys/key-encryption.ts';
import type { KeyId, SealedSecret } from '../../src/signing-keys/signing-key.ts';
import { bitFlips, symbolFlips } from './token-damage.ts';

interface KeyEncryptionHarness {
  /** Creates a new instance with the same master key on each call. */
  createEncryption(): KeyEncryption;

  createEncryptionWithAnotherMasterKey(): KeyEncryption;
}

const ID = 'k4.pid.9ShR3xc8-qVJ_di0tc9nx0IDIqbatdeM2mqLFBJsKRHs' as KeyId;
const OTHER_ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' as KeyId;
const REJECTED = { ok: false, error: { code: 'master_key_rejected' } };

/** The contract of every KeyEncryption. */
export function keyEncryptionContract(name: string, harness: KeyEncryptionHarness): void {
  describe(`${name} as a KeyEncryption`, () => {
    const encryption = harness.createEncryption();
    const secret = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
    let sealed: SealedSecret;

    beforeAll(async () => {
      sealed = await encryption.seal(secret, ID);
    });

    const expectNothingElseOpened = async (texts: Iterable<string>) => {
      for (const text of texts) {
        const opened = await encryption.open(text as SealedSecret, ID);
        // Base64url has unused bits, in which a text can differ from the genuine one and still be equivalent.
        expect(opened, text).toEqual(opened.ok ? ok(secret) : REJECTED);
      }
    };

    it('decrypts what it encrypted, whatever the secret and the id', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), fc.string(), async (bytes, id) => {
          const opened = await encryption.open(await encryption.seal(bytes, id as KeyId), id as KeyId);
          expect(opened).toEqual(ok(Uint8Array.from(bytes)));
        }),
      );
    });

    it('decrypts what another instance encrypted with the same master key', async () => {
      expect(await harness.createEncryption().open(sealed, ID)).toEqual(ok(secret));
    });

    it('never gives the same ciphertext twice, and reveals nothing of the secret', async () => {
      const texts = await Promise.all(Array.from({ length: 20 }, () => encryption.seal(secret, ID)));
      expect(new Set(texts).size).toBe(20);
      const encodings = ['base64url', 'hex'] as const;
      for (const text of texts) {
        const decoded = text.split('.').map((part) => Buffer.from(part, 'base64url'));
        for (const bytes of [Buffer.from(text), ...decoded]) {
          for (const trace of [
            secret,
            ...encodings.map((encoding) => Buffer.from(secret).toString(encoding)),
          ]) {
            expect(bytes.includes(Buffer.from(trace.slice(0, 4)))).toBe(false);
          }
        }
      }
    });

    it('rejects a secret under the id of another key', async () => {
      for (const id of [OTHER_ID, '' as KeyId, `${ID} ` as KeyId, ID.toLowerCase() as KeyId]) {
        expect(await encryption.open(sealed, id)).toEqual(REJECTED);
      }
    });

    it('rejects a secret that was encrypted with another master key', async () => {
      const other = harness.createEncryptionWithAnotherMasterKey();
      expect(await other.open(sealed, ID)).toEqual(REJECTED);
      expect(await encryption.open(await other.seal(secret, ID), ID)).toEqual(REJECTED);
    });

    it('rejects a secret with any damaged bit', async () => {
      await expectNothingElseOpened(bitFlips(sealed));
      await expectNothingElseOpened(symbolFlips(sealed));
    }, 60_000);

    it('rejects truncated, spliced and foreign secrets', async () => {
      const parts = sealed.split('.');
      const other = await encryption.seal(Uint8Array.from(secret).reverse(), ID);
      const spliced = parts.flatMap((_, index) => [
        parts.with(index, other.split('.')[index] ?? '').join('.'),
        parts.toSpliced(index, 1).join('.'),
      ]);
      const texts = [
        ...Array.from(sealed).map((_, length) => sealed.slice(0, length)),
        ...spliced.filter((text) => text !== sealed && text !== other),
        `${sealed}.`,
        `.${sealed}`,
        sealed + sealed,
        'null',
        '{}',
        'a'.repeat(100_000),
      ];
      for (const text of texts) {
        expect(await encryption.open(text as SealedSecret, ID), text).toEqual(REJECTED);
      }
    });
  });
}
