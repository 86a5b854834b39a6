import type { Mutation } from '../mutation.ts';

const SIGN_IN = 'packages/domain/src/sign-in/sign-in.ts';
const SIGN_IN_ROUTE = 'apps/server/src/routes/sign-in.ts';
const HASHER = 'packages/password-argon2/src/argon2-password-hasher.ts';
const THROTTLE = 'packages/postgres/src/sign-in/sign-in-throttle.ts';
const CACHED_REFUSALS = 'packages/domain/src/sign-in/cached-refusals.ts';
const NETWORK = 'packages/postgres/src/sign-in/client-network.ts';

/** Passwords and the limits of sign-in: requirements 24 to 30, and 51. */
export const SIGN_IN_MUTATIONS: readonly Mutation[] = [
  {
    requirements: [24],
    change: 'White space around a password is removed.',
    edits: [
      {
        file: SIGN_IN_ROUTE,
        find: 'signIn({ email, password, address })',
        replace: 'signIn({ email, password: password.trim(), address })',
      },
    ],
  },
  {
    requirements: [24],
    change: 'Only the first 72 characters of a password are hashed.',
    edits: [
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
    ],
  },
  {
    requirements: [25],
    change: 'An unknown email is refused before anything is hashed.',
    edits: [
      {
        file: SIGN_IN,
        find: '  const verified = await ports.passwords.verify(',
        replace:
          "  if (!credentials) return err({ code: 'credentials_not_accepted' });\n  const verified = await ports.passwords.verify(",
      },
    ],
  },
  {
    requirements: [25],
    change: 'The response tells a disabled user so.',
    edits: [
      {
        file: SIGN_IN,
        find: '  if (!credentials || !verified.value || !maySignIn(credentials)) {',
        replace:
          "  if (credentials && !maySignIn(credentials)) return err({ code: 'not_allowed' } as never);\n  if (!credentials || !verified.value || !maySignIn(credentials)) {",
      },
    ],
  },
  {
    requirements: [25],
    change: 'The hash used for an unknown user is a cheap one.',
    edits: [
      {
        file: HASHER,
        find: 'library.hashSync(randomBytes(HASH_LENGTH), parameters)',
        replace: 'library.hashSync(randomBytes(HASH_LENGTH), { memoryCost: 8, timeCost: 1, parallelism: 1 })',
      },
    ],
  },
  {
    requirements: [26, 28],
    change: 'The failures of an account are not limited.',
    edits: [{ file: THROTTLE, find: 'or seen.failures < ${account.failures}', replace: 'or true' }],
  },
  {
    requirements: [26],
    change: 'A success clears the address as well.',
    edits: [
      {
        file: THROTTLE,
        find: 'update sign_in_addresses set attempts = attempts - 1',
        replace: 'update sign_in_addresses set attempts = 0',
      },
    ],
  },
  {
    requirements: [26],
    change: 'An attempt is counted after hashing.',
    edits: [
      {
        file: SIGN_IN,
        find: 'const admitted = await ports.throttle.admit(attempt);',
        replace:
          'await ports.passwords.verify(input.password, undefined);\n    const admitted = await ports.throttle.admit(attempt);',
      },
    ],
  },
  {
    requirements: [26],
    change: 'A refusal by an account is repeated to all networks.',
    edits: [{ file: CACHED_REFUSALS, find: 'account: `${network} ${email}`', replace: 'account: email' }],
  },
  {
    requirements: [27],
    change: 'Each spelling of an address is counted separately.',
    edits: [
      {
        file: NETWORK,
        find: 'if (mapped !== undefined) return `${mapped}/32`;',
        replace: '',
      },
      {
        file: NETWORK,
        find: "return `${groups.slice(0, 4).join(':')}::/64`;",
        replace: 'return `${mapped ?? spelled}/128`;',
      },
    ],
  },
  {
    requirements: [28],
    change: 'The attempts of an address are not limited.',
    edits: [{ file: THROTTLE, find: ' or seen.attempts < ${address.attempts}', replace: ' or true' }],
  },
  {
    requirements: [28],
    change: 'A refusal is repeated from memory until its Retry-After.',
    edits: [
      { file: CACHED_REFUSALS, find: 'const ASK_AGAIN_MS = 1000;', replace: 'const ASK_AGAIN_MS = 1e9;' },
    ],
  },
  {
    requirements: [29],
    change: 'Bodies and passwords of any length are read.',
    edits: [
      { file: 'apps/server/src/http/body.ts', find: '16 * 1024', replace: '16 * 1024 * 1024' },
      { file: 'packages/api-contract/src/routes/sign-in.ts', find: '.max(maxLength,', replace: '.max(1e9,' },
    ],
  },
  {
    requirements: [30],
    change: 'Hashing is not bounded.',
    edits: [
      {
        file: 'packages/password-argon2/src/bounded-work.ts',
        find: 'const limit = pLimit(concurrency);',
        replace: 'const limit = pLimit(1000);',
      },
      {
        file: 'packages/domain/src/fair-queue.ts',
        find: 'if (active < limits.concurrency) return ok(await begin(work));',
        replace: 'return ok(await begin(work));',
      },
    ],
  },
  {
    requirements: [51],
    change: 'Sign-ins revoke no older ones.',
    edits: [{ file: SIGN_IN, find: '    await endOldestSignIns(ports, userId, event);\n', replace: '' }],
  },
  {
    requirements: [51],
    change: 'No sign-ins above the limit are found.',
    edits: [
      {
        file: 'packages/postgres/src/tokens/end-oldest-sign-ins.ts',
        find: 'if (surplus.length === 0) return 0;',
        replace: 'if (surplus.length >= 0) return 0;',
      },
    ],
  },
  {
    requirements: [51],
    change: 'A token that a concurrent transaction ends is ended again.',
    edits: [
      {
        file: 'packages/postgres/src/tokens/end-oldest-sign-ins.ts',
        find: "      .where('tokens.revoked_at', 'is', null)\n",
        replace: '',
      },
      {
        file: 'packages/postgres/src/tokens/end-oldest-sign-ins.ts',
        find: '      .skipLocked()\n',
        replace: '',
      },
    ],
  },
];
