import { registerHooks } from 'node:module';

const REFUSE = "return err({ code: 'credentials_not_accepted' });";
const LOOKED_UP = 'const credentials = await ports.users.findCredentials(input.email);';

/** Ways to refuse some sign-ins without hashing, as replacements in source files. */
const SABOTAGE: Readonly<Record<string, readonly [file: string, from: string, to: string]>> = {
  'unknown-before-counting': [
    '/sign-in/sign-in.ts',
    'const admitted = await admitAttempt(ports, input);',
    `if (!(await ports.users.findCredentials(input.email))) ${REFUSE}
    const admitted = await admitAttempt(ports, input);`,
  ],
  'unknown-before-hashing': [
    '/sign-in/verify-credentials.ts',
    LOOKED_UP,
    `${LOOKED_UP} if (!credentials) ${REFUSE}`,
  ],
  'unknown-in-the-hasher': [
    '/argon2-password-hasher.ts',
    'run(() => argon2.verify(stored ?? dummy, password))',
    'run(async () => stored !== undefined && argon2.verify(stored, password))',
  ],
  'disabled-before-hashing': [
    '/sign-in/verify-credentials.ts',
    LOOKED_UP,
    `${LOOKED_UP} if (credentials && !isActive(credentials)) ${REFUSE}`,
  ],
};

const [file = '', from = '', to = ''] = SABOTAGE[new URL(import.meta.url).search.slice(1)] ?? [];

// Sabotage for `node --import`: a server that refuses some sign-ins early. The URL's query says which.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (file === '' || !url.endsWith(file)) return loaded;
    const source = String(loaded.source);
    const early = source.replace(from, to);
    if (early === source) throw new Error(`there is nothing to take away in ${url}`);
    return { ...loaded, source: early };
  },
});
