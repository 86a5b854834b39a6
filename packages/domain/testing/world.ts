import { IN_PERSON, type Operator, type Principal } from '../src/access/index.ts';
import type { PasswordSignIn } from '../src/break-glass/index.ts';
import type { Change } from '../src/changes/index.ts';
import { NO_GUARDS } from '../src/guards/index.ts';
import { type AllPorts, ok } from '../src/index.ts';
import { WITHOUT_TURNS } from '../src/on-behalf.ts';
import { BUILT_IN, type Catalog, createCatalog } from '../src/resources/index.ts';
import { DEFAULT_SESSION_TIMES } from '../src/sessions/index.ts';
import { DEFAULT_SIGN_IN_LIMITS, type SignInGate } from '../src/sign-in/index.ts';
import { createKeyRing, ensureKeys } from '../src/signing-keys/index.ts';
import { TOKEN_FORMATS } from '../src/tokens/index.ts';
import { type CreateUserInput, createUser, type Role, type User } from '../src/users/index.ts';
import { createFakeAttemptSecrets } from './fake-attempt-secrets.ts';
import { createFakeCredentialSecrets } from './fake-credential-secrets.ts';
import { createFakeIdentityProviders } from './fake-identity-providers.ts';
import { createFakeKeyEncryption } from './fake-key-encryption.ts';
import { createFakeLinkCodes } from './fake-link-codes.ts';
import { createFakeMailer } from './fake-mailer.ts';
import { createFakePasswordHasher } from './fake-password-hasher.ts';
import { createFakeSealCryptography } from './fake-seal-cryptography.ts';
import { createFakeSecondFactorSecrets } from './fake-second-factor-secrets.ts';
import { createFakeSessionSecrets } from './fake-session-secrets.ts';
import { createFakeTokenSigner } from './fake-token-signer.ts';
import { createFakeWebhookSecrets } from './fake-webhook-secrets.ts';
import { createFakeWebhookSender } from './fake-webhook-sender.ts';
import { createFixedClock } from './fixed-clock.ts';
import { givenAccount, START, unwrap } from './fixtures.ts';
import { createInMemoryExtensionSchemas, type InMemoryExtension } from './in-memory/extension-schemas.ts';
import { createInMemoryChangeFeedProbe, createInMemoryStoreProbe } from './in-memory/probes.ts';
import { createInMemoryRepositories, type InMemoryRepositories } from './in-memory/repositories.ts';
import { createInMemorySignInThrottle } from './in-memory/sign-in-throttle.ts';
import { createSequentialTokenIds } from './sequential-token-ids.ts';

export const OPERATOR: Operator = { kind: 'operator', name: 'root', origin: 'test' };

/** A password that the policy accepts. */
export const PASSWORD = 'correct horse battery';

/** Lets every sign-in pass at once. */
const OPEN_GATE: SignInGate = { enter: async () => ok({ [Symbol.dispose]: () => undefined }) };

export type World = Awaited<ReturnType<typeof createWorld>>;

interface PortsOptions {
  /** Default: empty. */
  readonly store?: InMemoryRepositories;
  /** Default: that of the built-in resources. */
  readonly catalog?: Catalog;
  /** The tables of extensions, by the extensions' names. Default: none. */
  readonly extensions?: Readonly<Record<string, InMemoryExtension>>;
}

/** Creates every port in memory, without keys. */
export function createPorts({
  store = createInMemoryRepositories(),
  catalog = createCatalog(BUILT_IN),
  extensions,
}: PortsOptions = {}) {
  const clock = createFixedClock(START);
  const encryption = createFakeKeyEncryption();
  return {
    ...store,
    catalog,
    clock,
    ids: createSequentialTokenIds(),
    signers: TOKEN_FORMATS.map(createFakeTokenSigner),
    encryption,
    keys: createKeyRing({ signingKeys: store.signingKeys, clock }),
    masterKeys: {
      replace: (work) =>
        work({ current: encryption, next: createFakeKeyEncryption('next'), complete: async () => undefined }),
    },
    passwords: createFakePasswordHasher(),
    // Tests change it.
    passwordSignIn: 'on' as PasswordSignIn,
    throttle: createInMemorySignInThrottle({ clock, limits: DEFAULT_SIGN_IN_LIMITS }),
    signInGate: OPEN_GATE,
    sealCryptography: createFakeSealCryptography(),
    credentialSecrets: createFakeCredentialSecrets(),
    linkCodes: createFakeLinkCodes(),
    attemptSecrets: createFakeAttemptSecrets(),
    identityProviders: createFakeIdentityProviders(),
    sessionSecrets: createFakeSessionSecrets(),
    secondFactorSecrets: createFakeSecondFactorSecrets(),
    webhookSecrets: createFakeWebhookSecrets(),
    webhookSender: createFakeWebhookSender(),
    sessionTimes: DEFAULT_SESSION_TIMES,
    onBehalf: WITHOUT_TURNS,
    guards: NO_GUARDS,
    issuer: { issuer: 'gatehouse', audience: 'gatehouse-api' },
    maxStalenessMs: 1000,
    mailer: createFakeMailer(),
    storeProbe: createInMemoryStoreProbe(clock),
    changeFeedProbe: createInMemoryChangeFeedProbe(),
    extensionSchemas: createInMemoryExtensionSchemas(store, extensions),
    findMasterKey: async () => ok(encryption),
    findOpenRoutes: async () => [],
  } satisfies AllPorts;
}

/** Creates every port in memory, with initial keys, for testing use cases. It reports each change to `tell`. */
export async function createWorld(tell?: (change: Change) => void) {
  const world = createPorts({ store: createInMemoryRepositories(tell) });
  unwrap(await ensureKeys(world)(OPERATOR));
  return world;
}

/** Creates a user who can sign in with `PASSWORD`. */
export async function givenPerson(
  world: World,
  parts: Pick<CreateUserInput, 'accountId' | 'email'> & { name?: string; role?: Role },
) {
  const input = { name: 'Ada', role: 'admin' as Role, password: PASSWORD, ...parts };
  return unwrap(await createUser(world)(OPERATOR, input));
}

/** A world with two admins who can sign in, Ada of Acme and Eve of another account. */
export async function createWorldWithAdmins() {
  const world = await createWorld();
  const admin = async (email: string) =>
    givenPerson(world, { accountId: (await givenAccount(world)).id, email });
  return { world, ada: await admin('ada@acme.example'), eve: await admin('eve@evil.example') };
}

/** Returns the user as a caller in person, as on the command line. */
export function inPerson({ id: userId, accountId, role }: User): Principal {
  return { kind: 'user', userId, accountId, role, scopes: IN_PERSON, origin: 'test' };
}
