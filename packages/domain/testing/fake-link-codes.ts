import { createHash } from 'node:crypto';
import { LINK_PREFIXES, type LinkCode, type LinkCodeHash, type LinkCodes } from '../src/links/index.ts';

/** Creates LinkCodes for tests that always create the same ids and codes in the same order. */
export function createFakeLinkCodes(): LinkCodes {
  let count = 0;
  return {
    create(kind) {
      count += 1;
      const random = createHash('sha256').update(`link ${count}`).digest('base64url');
      const id = `01999999-0000-7000-b000-${String(count).padStart(12, '0')}`;
      return { id, code: `${LINK_PREFIXES[kind]}${random}` as LinkCode };
    },
    hashOf: (code) => createHash('sha256').update(`fake ${code}`).digest('hex') as LinkCodeHash,
  };
}
