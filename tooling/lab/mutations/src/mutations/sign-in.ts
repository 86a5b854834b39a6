import { type Mutation, mutation } from '../mutation.ts';

const SIGN_IN = 'packages/domain/src/sign-in/sign-in.ts';
const VERIFY = 'packages/domain/src/sign-in/verify-credentials.ts';
const SIGN_IN_OUTCOMES = 'apps/server/src/composition/recorded-sign-in.ts';
const HASHER = 'packages/password-argon2/src/argon2-password-hasher.ts';
const COUNT = 'packages/postgres/src/sign-in/counted-attempts.ts';
const ATTEMPT = 'packages/postgres/src/sign-in/counted-attempts.ts';
const CACHED_REFUSALS = 'packages/domain/src/sign-in/cached-refusals.ts';
const NETWORK = 'packages/domain/src/ip-address.ts';

/** Passwords and the limits of sign-in: requirements 24 to 30, and 51. */
export const SIGN_IN_MUTATIONS: readonly Mutation[] = [
  mutation([24], 'White space around a password is removed.', {
    file: SIGN_IN_OUTCOMES,
    find: '{ ...credentials, address, onUser }',
    replace: '{ ...credentials, password: credentials.password.trim(), address, onUser }',
  }),
  mutation([24], 'Only the first 72 characters of a password are hashed.', [
    {
      file: HASHER,
      find: 'argon2.hash(password, parameters)',
      replace: 'argon2.hash(password.slice(0, 72), parameters)',
    },
    {
      file: HASHER,
      find: 'argon2.verify(stored ?? dummy, password)',
      replace: 'argon2.verify(stored ?? dummy, password.slice(0, 72))',
    },
  ]),
  mutation([24], 'A password is verified in the normal form in which it is sent.', {
    file: 'packages/domain/src/users/normal-password.ts',
    find: "return normalize(text.replaceAll(/\\p{Zs}/gu, ' '), 'NFC');",
    replace: 'return text;',
  }),
  mutation([24], 'A password that was stored as typed is verified in its normal form.', {
    file: VERIFY,
    find: "given[credentials?.passwordForm ?? 'normal']",
    replace: 'given.normal',
  }),
  mutation([25, 59], 'An unknown email is refused before anything is hashed.', {
    file: VERIFY,
    find: '  const verified = await ports.passwords.verify(',
    replace:
      "  if (!credentials) return err({ code: 'credentials_not_accepted' });\n  const verified = await ports.passwords.verify(",
  }),
  mutation([25], 'The response reveals that the user is disabled.', {
    file: VERIFY,
    find: '  if (!credentials || !verified.value || !isOpen || !isActive(credentials)) {',
    replace:
      "  if (credentials && !isActive(credentials)) return err({ code: 'not_allowed' } as never);\n  if (!credentials || !verified.value || !isOpen || !isActive(credentials)) {",
  }),
  mutation([25], 'The hash used for an unknown user is a cheap one.', {
    file: HASHER,
    find: 'library.hashSync(randomBytes(HASH_LENGTH), parameters)',
    replace: 'library.hashSync(randomBytes(HASH_LENGTH), { memoryCost: 8, timeCost: 1, parallelism: 1 })',
  }),
  mutation([26, 28], 'The failures of an account are not limited.', {
    file: COUNT,
    find: 'or seen.failures < ${account.failures}',
    replace: 'or true',
  }),
  mutation([26], 'A success clears the address as well.', {
    file: ATTEMPT,
    find: 'update sign_in_addresses set attempts = attempts - 1',
    replace: 'update sign_in_addresses set attempts = 0',
  }),
  mutation([26], 'An attempt is counted after hashing.', {
    file: SIGN_IN,
    find: 'const admitted = await admitAttempt(ports, input);',
    replace:
      'await ports.passwords.verify(input.password, undefined);\n    const admitted = await admitAttempt(ports, input);',
  }),
  mutation([26], 'A refusal by an account is repeated to all networks.', {
    file: CACHED_REFUSALS,
    find: 'account: `${network} ${email}`',
    replace: 'account: email',
  }),
  mutation([27], 'Each spelling of an address is counted separately.', {
    file: NETWORK,
    find: 'return address.groups ? ',
    replace: "return text.includes(':') ? `${text.replace(/%.*/, '')}/128` : address.groups ? ",
  }),
  mutation([28], 'The attempts of an address are not limited.', {
    file: COUNT,
    find: ' or seen.attempts < ${address.attempts}',
    replace: ' or true',
  }),
  mutation([28], 'A refusal is repeated from memory until its Retry-After.', {
    file: CACHED_REFUSALS,
    find: 'const ASK_AGAIN_MS = 1000;',
    replace: 'const ASK_AGAIN_MS = 1e9;',
  }),
  mutation([29], 'Bodies and passwords of any length are read.', [
    { file: 'packages/http/src/request.ts', find: '16 * 1024', replace: '16 * 1024 * 1024' },
    {
      file: 'packages/domain/src/users/normal-password.ts',
      find: '.length > PASSWORD_MAX_LENGTH',
      replace: '.length > 1e9',
    },
  ]),
  mutation([30], 'Hashing is not bounded.', [
    {
      file: HASHER,
      find: "createFairQueue<'any'>({ concurrency,",
      replace: "createFairQueue<'any'>({ concurrency: 1000,",
    },
    {
      file: 'packages/queues/src/fair-queue.ts',
      find: 'active >= limits.concurrency || mayGo?.(key) === false',
      replace: 'active < 0',
    },
  ]),
  mutation([51], 'Sign-ins revoke no older ones.', {
    file: SIGN_IN,
    find: 'if (stored.value.isSurplus) {',
    replace: 'if (!stored.ok) {',
  }),
  mutation([51], 'No sign-ins above the limit are found.', {
    file: 'packages/postgres/src/tokens/end-tokens.ts',
    find: 'if (surplus.length === 0) return 0;',
    replace: 'if (surplus.length >= 0) return 0;',
  }),
  mutation([51], 'A token that a concurrent transaction ends is ended again.', [
    {
      file: 'packages/postgres/src/tokens/end-tokens.ts',
      find: "      .where('tokens.revoked_at', 'is', null)\n",
    },
    { file: 'packages/postgres/src/tokens/end-tokens.ts', find: '      .skipLocked()\n' },
  ]),
];
