import { ok } from '@gatehouse/domain';
import { exportAuditEvents, verifyAuditLog } from '@gatehouse/domain/audit';
import { checkHealth, describeFinding, findingsOf } from '@gatehouse/domain/health';
import type { Organization } from '@gatehouse/domain/organizations';
import { DEFAULT_SIGN_IN_LIFETIME_MS, DEFAULT_SIGN_IN_LIMITS, signIn } from '@gatehouse/domain/sign-in';
import { createMonotonicClock } from '@gatehouse/installation';
import { createSealCryptography } from '@gatehouse/key-encryption';
import {
  createPostgresChangeFeedProbe,
  createPostgresExtensionSchemas,
  createPostgresSignInThrottle,
  createPostgresStoreProbe,
  createPostgresUsageRecorderHealth,
  migrateToLatest,
} from '@gatehouse/postgres';
import { settingsOf } from '../stage/population.ts';
import { OPERATOR, openInstallation, type Store, unwrap } from '../stage/store.ts';

const EMAIL = 'ada@acme.example';
const PASSWORD = 'a heavy press, twice';

/** Begins an installation in an empty database, as an operator does. */
export async function begin(url: string): Promise<void> {
  await using store = openInstallation(settingsOf(url));
  await migrateToLatest(store.database);
  unwrap(await store.ensureKeys(OPERATOR));
  const { id: accountId } = unwrap(await store.createAccount(OPERATOR, { name: 'Acme Zürich' }));
  const admin = { accountId, email: EMAIL, name: 'Ada', role: 'admin', password: PASSWORD } as const;
  unwrap(await store.createUser(OPERATOR, admin));
  unwrap(await store.createOrganization(OPERATOR, { accountId, name: 'Press shop', description: '"\\' }));
  // Seals what has happened so far.
  await exportedFrom(store);
}

/** Uses an installation, and returns its answers in a form that does not depend on the time. */
export async function visit(url: string) {
  await using store = openInstallation(settingsOf(url));
  const ports = sealingPorts(store);
  const exported = await exportedFrom(store);
  const { findings: tampering } = unwrap(await verifyAuditLog(ports)(OPERATOR, {}));
  const organizations: Organization[] = [];
  for await (const page of unwrap(await store.listOrganizations(OPERATOR, {}))) organizations.push(...page);
  const health = unwrap(await checkHealth(healthPorts(store, url))(OPERATOR));
  const signingIn = signIn({
    ...ports,
    throttle: createPostgresSignInThrottle(store.database, {
      limits: DEFAULT_SIGN_IN_LIMITS,
      clock: ports.clock,
    }),
    signInGate: { enter: async () => ok({ [Symbol.dispose]: () => undefined }) },
    passwordSignIn: 'on',
    format: 'paseto',
    lifetimeMs: DEFAULT_SIGN_IN_LIFETIME_MS,
  });
  const { secret } = unwrap(await signingIn({ email: EMAIL, password: PASSWORD, address: '192.0.2.7' }));
  const inspected = await store.inspectToken(OPERATOR, { text: secret });
  return {
    exported,
    tampering,
    organizations,
    doctor: findingsOf(health).map((finding) => describeFinding(finding).message),
    signedIn: inspected.ok && inspected.value.accepted,
  };
}

async function exportedFrom(store: Store): Promise<readonly string[]> {
  const exported: string[] = [];
  for await (const { lines } of unwrap(
    await exportAuditEvents(sealingPorts(store))(OPERATOR, { after: 0 }),
  )) {
    exported.push(...lines);
  }
  return exported;
}

function sealingPorts({ ports }: Store) {
  return { ...ports, sealCryptography: createSealCryptography() };
}

function healthPorts({ database, ports }: Store, url: string): Parameters<typeof checkHealth>[0] {
  return {
    ...ports,
    findMasterKey: async () => undefined,
    findOpenRoutes: async () => [],
    storeProbe: createPostgresStoreProbe(database),
    usageRecorders: createPostgresUsageRecorderHealth(database),
    extensionSchemas: createPostgresExtensionSchemas(database, async () => []),
    changeFeedProbe: createPostgresChangeFeedProbe({
      listenUrl: url,
      database,
      maxStalenessMs: ports.maxStalenessMs,
      clock: ports.clock,
      monotonicClock: createMonotonicClock(),
    }),
  };
}
