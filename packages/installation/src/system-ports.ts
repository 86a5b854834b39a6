import { createHash, createHmac, randomBytes } from 'node:crypto';
import type {
  AttemptHash,
  AttemptSecret,
  AttemptSecrets,
  AttemptState,
} from '@gatehouse/domain/identity-providers';
import { LINK_PREFIXES, type LinkCode, type LinkCodeHash, type LinkCodes } from '@gatehouse/domain/links';
import type {
  CredentialHash,
  CredentialId,
  CredentialSecret,
  CredentialSecrets,
} from '@gatehouse/domain/services';
import type {
  SessionFormKey,
  SessionId,
  SessionSecret,
  SessionSecretHash,
  SessionSecrets,
} from '@gatehouse/domain/sessions';
import type { Clock, Instant, MonotonicClock } from '@gatehouse/domain/time';
import type { TokenId, TokenIdGenerator } from '@gatehouse/domain/tokens';
import { v7 } from 'uuid';

/** The clock of the machine. */
export function createSystemClock(): Clock {
  return { now: () => Date.now() as Instant };
}

/** Creates a clock from Node's high-resolution timer. On Linux the clock stops while the machine is suspended. */
export function createMonotonicClock(): MonotonicClock {
  return { elapsedMs: () => performance.now() };
}

/** Returns 256 random bits as base64url. */
const randomText = () => randomBytes(32).toString('base64url');

/** Returns the SHA-256 of a secret in hexadecimal. */
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Creates the port `SessionSecrets`. A secret is made of random numbers from the operating system. */
export function createSessionSecrets(): SessionSecrets {
  const createSecret = () => randomText() as SessionSecret;
  return {
    create: () => ({
      id: v7() as SessionId,
      secret: createSecret(),
      formKey: randomBytes(32).toString('hex') as SessionFormKey,
    }),
    createSecret,
    hashOf: (secret) => hashOf(secret) as SessionSecretHash,
  };
}

/** Creates the port `CredentialSecrets`. A secret is made of random numbers from the operating system. */
export function createCredentialSecrets(): CredentialSecrets {
  return {
    create: () => ({
      id: v7() as CredentialId,
      secret: `ghs_${randomText()}` as CredentialSecret,
    }),
    hashOf: (secret) => hashOf(secret) as CredentialHash,
  };
}

/** Creates the port `LinkCodes`. A code is made of random numbers from the operating system. */
export function createLinkCodes(): LinkCodes {
  return {
    create: (kind) => ({ id: v7(), code: `${LINK_PREFIXES[kind]}${randomText()}` as LinkCode }),
    hashOf: (code) => hashOf(code) as LinkCodeHash,
  };
}

/**
 * Creates the port `AttemptSecrets`. A derived value is the HMAC-SHA-256 (RFC 2104) of its purpose and the state, under
 * the browser's secret.
 */
export function createAttemptSecrets(): AttemptSecrets {
  return {
    createSecret: () => randomText() as AttemptSecret,
    createState: () => randomText() as AttemptState,
    hashOf: (value) => hashOf(value) as AttemptHash,
    derive(secret, state) {
      const key = Buffer.from(secret, 'base64url');
      const derived = (purpose: string) =>
        createHmac('sha256', key).update(`${purpose}:${state}`).digest('base64url');
      return { nonce: derived('nonce'), codeVerifier: derived('pkce') };
    },
  };
}

/**
 * Creates a generator of UUIDs of version 7 (RFC 9562 section 5.7), which sort by their age. Within one process, the
 * ids sort by age even if the machine's clock is set back. Ids of several processes may be out of order by the
 * difference of their clocks.
 */
export function createUuidTokenIdGenerator(): TokenIdGenerator {
  return { next: () => v7() as TokenId };
}
