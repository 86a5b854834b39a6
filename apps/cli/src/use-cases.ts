import { type AllPorts, ok } from '@gatehouse/domain';
import type { Caller } from '@gatehouse/domain/access';
import * as audit from '@gatehouse/domain/audit';
import * as extensions from '@gatehouse/domain/extensions';
import type { checkHealth } from '@gatehouse/domain/health';
import * as signingKeys from '@gatehouse/domain/signing-keys';
import * as tokens from '@gatehouse/domain/tokens';
import * as users from '@gatehouse/domain/users';
import { ADMINISTRATION, make, makeLazy, type PortsOf, useCasesIn, without } from '@gatehouse/installation';
import type { MasterKeyPlacement } from '@gatehouse/key-encryption';

const HASHING = { createUser: users.createUser, setPassword: users.setPassword };

const SIGNING = {
  createKey: signingKeys.createKey,
  ensureKeys: signingKeys.ensureKeys,
  issueToken: tokens.issueToken,
  rotateToken: tokens.rotateToken,
};

const VERIFYING = { identifyToken: tokens.identifyToken, inspectToken: tokens.inspectToken };

const SEALING = {
  exportAuditEvents: audit.exportAuditEvents,
  pruneAuditEvents: audit.pruneAuditEvents,
  reapplyAuditEvents: audit.reapplyAuditEvents,
  verifyAuditLog: audit.verifyAuditLog,
};

const PROBING = { ...useCasesIn(extensions), watchTokens: tokens.watchTokens };

const LAZY = {
  ...HASHING,
  ...SIGNING,
  ...VERIFYING,
  ...SEALING,
  ...PROBING,
  rewrapKeys: signingKeys.rewrapKeys,
};

/** All other use cases. Their ports need no loading. */
const READY = without(ADMINISTRATION, LAZY);

type LazyPortName = 'signers' | 'encryption' | 'passwords' | 'sealCryptography';

type ProbeName =
  | 'usageFeed'
  | 'usageRecorders'
  | 'storeProbe'
  | 'extensionSchemas'
  | 'changeFeedProbe'
  | 'findMasterKey'
  | 'findOpenRoutes';

/** Ports that load slowly or need the master key. Reading one creates it, so a use case reads it when it runs. */
export type LazyPorts = { readonly [Name in LazyPortName]: Promise<AllPorts[Name]> } & {
  readonly masterKeys: Promise<PlacedMasterKeys>;
  /** The probes are loaded on demand, because few commands use them. */
  readonly probes: Promise<Pick<AllPorts, ProbeName>>;
};

/** Master keys with the location of the new one. */
export interface PlacedMasterKeys extends signingKeys.MasterKeys {
  /** The location; undefined before a replacement has begun. */
  readonly placement: () => MasterKeyPlacement | undefined;
}

type UseCaseSet = typeof READY & typeof LAZY & { readonly checkHealth: typeof checkHealth };

export type CommandPorts = Omit<PortsOf<UseCaseSet>, keyof LazyPorts | ProbeName | 'keys'>;

export type CommandUseCases = ReturnType<typeof createCommandUseCases>;

/** Creates the use cases of the command line: the administration, and the use cases that only commands need. */
export function createCommandUseCases(ports: CommandPorts, lazy: () => Promise<LazyPorts>) {
  const keys = signingKeys.createKeyRing(ports);
  const hashing = async () => ({ ...ports, passwords: await (await lazy()).passwords });
  const verifying = async () => ({ ...ports, keys, signers: await (await lazy()).signers });
  const signing = async () => ({ ...(await verifying()), encryption: await (await lazy()).encryption });
  const sealing = async () => ({
    ...(await signing()),
    sealCryptography: await (await lazy()).sealCryptography,
  });
  const probing = async () => ({ ...ports, ...(await (await lazy()).probes) });
  return {
    ...make(READY, ports),
    ...makeLazy(HASHING, hashing),
    ...makeLazy(SIGNING, signing),
    ...makeLazy(VERIFYING, verifying),
    ...makeLazy(SEALING, sealing),
    ...makeLazy(PROBING, probing),
    async checkHealth(caller: Caller) {
      const health = await import('@gatehouse/domain/health');
      return health.checkHealth(await probing())(caller);
    },
    /** Rewraps the signing keys, and also returns the places of the master keys. */
    async rewrapKeys(caller: Caller) {
      const masterKeys = await (await lazy()).masterKeys;
      const rewrapped = await signingKeys.rewrapKeys({ ...ports, masterKeys })(caller);
      return rewrapped.ok ? ok({ ...rewrapped.value, placement: masterKeys.placement() }) : rewrapped;
    },
  };
}
