/**
 * Prints the caches' heap after garbage collection. Run it with `node --expose-gc`, like memory.test.ts: in a separate
 * process without other garbage.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { WITHOUT_TURNS } from '@gatehouse/domain';
import type { KeyId, VerificationKey } from '@gatehouse/domain/signing-keys';
import { aTokenRecord } from '@gatehouse/domain/testing';
import type { TokenClaims, TokenId, TokenRecord, TokenSigner } from '@gatehouse/domain/tokens';
import { authenticateToken } from '@gatehouse/domain/tokens';
import type { Email, UserId } from '@gatehouse/domain/users';
import { createReadCaches } from '../src/index.ts';

const { values } = parseArgs({
  options: {
    tokens: { type: 'string', default: '50000' },
    'tokens-per-user': { type: 'string', default: '1' },
    garbage: { type: 'string', default: '1000000' },
  },
});

export interface MemoryUse {
  readonly bytesPerToken: number;
  /** The heap after this many garbage tokens. */
  readonly garbageBytes: number;
  readonly garbageReads: number;
}

const key: VerificationKey = {
  id: `k4.pid.${'k'.repeat(44)}` as KeyId,
  format: 'paseto',
  publicKey: new Uint8Array(32),
};
/** Strings from a database or a payload are not shared. */
const fresh = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));
const idOf = (serial: number) => `01890000-0000-7000-8000-${String(serial).padStart(12, '0')}` as TokenId;
const userOf = (serial: number) => Math.ceil(serial / Number(values['tokens-per-user'])) as UserId;

const header = Buffer.from(`Bearer v4.public.00000000.${randomBytes(262).toString('base64url')}`);

/** As long as one of our PASETOs, and sliced from a header like one. */
function tokenOf(serial: number): string {
  header.write(String(serial).padStart(8, '0'), 'Bearer v4.public.'.length);
  return header.toString('latin1').slice('Bearer '.length);
}

const serialOf = (token: string) => Number(token.split('.')[2]);
let good = true;
let reads = 0;

const signer: Pick<TokenSigner, 'format' | 'keyIdOf' | 'verify'> = {
  format: 'paseto',
  keyIdOf: () => key.id,
  async verify(token) {
    const claims = {
      issuer: 'gatehouse',
      audience: 'gatehouse-api',
      subject: userOf(serialOf(token)),
      tokenId: idOf(serialOf(token)),
      issuedAt: 1_767_225_600_000,
      expiresAt: null,
      kind: 'api',
    };
    return good ? (fresh(claims) as TokenClaims) : undefined;
  },
};

const entries = Number(values.tokens);
globalThis.gc?.();
// The stores allocate all entries when they are created, so they come before this.
const empty = process.memoryUsage();
const caches = createReadCaches({
  feed: { subscribe: () => () => {}, onHeard: () => () => {}, heardUpTo: () => undefined },
  isFresh: () => true,
  limits: {
    tokens: { entries, bytes: 10_000_000_000 },
    organizations: { entries: 0, bytes: 1 },
    memberships: 0,
  },
});
const ports = {
  signers: [caches.cachedSigner(signer as TokenSigner)],
  keys: { find: async () => key },
  tokens: caches.cachedTokenRecords({
    async findRecord(id: TokenId): Promise<TokenRecord> {
      reads += 1;
      const serial = Number(id.slice(-12));
      const record = aTokenRecord({ id, userId: userOf(serial), keyId: key.id, name: `ERP, line ${serial}` });
      const email = `user-${userOf(serial)}@acme.example` as Email;
      return fresh({ ...record, user: { ...record.user, email } });
    },
  }),
  clock: { now: () => aTokenRecord({ id: idOf(1) }).createdAt },
  onBehalf: WITHOUT_TURNS,
  issuer: { issuer: 'gatehouse', audience: 'gatehouse-api' },
  usage: { used: () => undefined, refused: () => undefined, usedOutside: () => undefined },
};
const authenticate = authenticateToken(ports);

/** Includes memory outside the heap: the stores' links are typed arrays. */
async function bytesAfter(tokens: number): Promise<number> {
  for (let serial = 1; serial <= tokens; serial += 1) await authenticate(tokenOf(serial), '192.0.2.1');
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers - empty.heapUsed - empty.arrayBuffers;
}

const full = await bytesAfter(entries);
const readsBefore = reads;
good = false;
const afterGarbage = await bytesAfter(Number(values.garbage));
const use: MemoryUse = {
  bytesPerToken: Math.round(full / entries),
  garbageBytes: afterGarbage - full,
  garbageReads: reads - readsBefore,
};
process.stdout.write(`${JSON.stringify(use)}\n`);
