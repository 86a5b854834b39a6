import { type AllPorts, ok } from '@gatehouse/domain';
import type { Caller } from '@gatehouse/domain/access';
import * as audit from '@gatehouse/domain/audit';
import * as extensions from '@gatehouse/domain/extensions';
import { checkHealth } from '@gatehouse/domain/health';
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

const LAZY = { ...HASHING, ...SIGNING, ...VERIFYING, ...SEALING, rewrapKeys: signingKeys.rewrapKeys };

/** All others: their ports are at hand. */
const READY = {
  ...without(ADMINISTRATION, LAZY),
  ...useCasesIn(extensions),
  checkHealth,
  watchTokens: tokens.watchTokens,
};

type LazyPortName = 'signers' | 'encryption' | 'passwords' | 'sealCryptography';

/** Ports that load slowly or need the master key. Reading one creates it, so a use case reads it when it runs. */
export type LazyPorts = { readonly [Name in LazyPortName]: Promise<AllPorts[Name]> } & {
  readonly masterKeys: Promise<PlacedMasterKeys>;
};

/** Master keys with the location of the new one. */
export interface PlacedMasterKeys extends signingKeys.MasterKeys {
  /** The location; undefined before a replacement has begun. */
  readonly placement: () => MasterKeyPlacement | undefined;
}

export type CommandPorts = Omit<PortsOf<typeof READY & typeof LAZY>, keyof LazyPorts | 'keys'>;

export type CommandUseCases = ReturnType<typeof createCommandUseCases>;

/** Creates the use cases of the command line: those of administration, and those that only commands need. */
export function createCommandUseCases(ports: CommandPorts, lazy: LazyPorts) {
  const hashing = async () => ({ ...ports, passwords: await lazy.passwords });
  const keys = signingKeys.createKeyRing(ports);
  const verifying = async () => ({ ...ports, keys, signers: await lazy.signers });
  const signing = async () => ({ ...(await verifying()), encryption: await lazy.encryption });
  const sealing = async () => ({ ...(await signing()), sealCryptography: await lazy.sealCryptography });
  return {
    ...make(READY, ports),
    ...makeLazy(HASHING, hashing),
    ...makeLazy(SIGNING, signing),
    ...makeLazy(VERIFYING, verifying),
    ...makeLazy(SEALING, sealing),
    /** Also returns where the master keys are now. */
    async rewrapKeys(caller: Caller) {
      const masterKeys = await lazy.masterKeys;
      const rewrapped = await signingKeys.rewrapKeys({ ...ports, masterKeys })(caller);
      return rewrapped.ok ? ok({ ...rewrapped.value, placement: masterKeys.placement() }) : rewrapped;
    },
  };
}
