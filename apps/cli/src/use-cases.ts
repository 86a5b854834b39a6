import { type AllPorts, ok } from '@gatehouse/domain';
import type { Operator, Principal, RefusedCaller } from '@gatehouse/domain/access';
import * as audit from '@gatehouse/domain/audit';
import * as extensions from '@gatehouse/domain/extensions';
import type { checkHealth } from '@gatehouse/domain/health';
import * as signingKeys from '@gatehouse/domain/signing-keys';
import * as tokens from '@gatehouse/domain/tokens';
import * as users from '@gatehouse/domain/users';
import * as webhooks from '@gatehouse/domain/webhooks';
import { ADMINISTRATION, make, makeLazy, type PortsOf, useCasesIn, without } from '@gatehouse/installation';
import type { MasterKeyPlacement } from '@gatehouse/key-encryption';
import type { createProbes } from './probes.ts';

const HASHING = pick(users, 'createUser', 'setPassword');
const SIGNING = {
  ...pick(signingKeys, 'createKey', 'ensureKeys'),
  ...pick(tokens, 'issueToken', 'rotateToken'),
};
const VERIFYING = pick(tokens, 'checkToken', 'identifyToken', 'inspectToken');
const SEALING = pick(audit, 'exportAuditEvents', 'pruneAuditEvents', 'reapplyAuditEvents', 'verifyAuditLog');
const PROBING = { ...useCasesIn(extensions), ...pick(tokens, 'watchTokens') };
const ADDRESSING = pick(webhooks, 'updateWebhook', 'deleteWebhook', 'enableWebhook', 'disableWebhook');
const SENDING = pick(webhooks, 'createWebhook', 'rotateWebhookSecret', 'testWebhook');
const LAZY = {
  ...HASHING,
  ...SIGNING,
  ...VERIFYING,
  ...SEALING,
  ...PROBING,
  ...ADDRESSING,
  ...SENDING,
  ...pick(signingKeys, 'rewrapKeys'),
};

/** The use cases that are not in `LAZY`. Their ports are ready as soon as the database is open. */
const READY = without(ADMINISTRATION, LAZY);

/**
 * Ports that load slowly or need the master key. Each is a function that returns the port; a use case calls it when it
 * runs.
 */
export interface LazyPorts extends Lazy<Pick<AllPorts, LazyPortName>> {
  masterKeys(): Promise<PlacedMasterKeys>;
  probes(): Promise<Probes>;
}

type LazyPortName =
  | 'signers'
  | 'encryption'
  | 'passwords'
  | 'sealCryptography'
  | 'webhookSecrets'
  | 'webhookSender';
type Lazy<Ports> = { readonly [Name in keyof Ports]: () => Promise<Ports[Name]> };

export type Probes = ReturnType<typeof createProbes>;

/** The replacement of the master key, and the location of the new master key. */
export interface PlacedMasterKeys extends signingKeys.MasterKeys {
  /** The location; undefined before a replacement has begun. */
  readonly placement: () => MasterKeyPlacement | undefined;
}

type UseCaseSet = typeof READY & typeof LAZY & { readonly checkHealth: typeof checkHealth };

type CommandPorts = Omit<PortsOf<UseCaseSet>, keyof LazyPorts | keyof Probes | 'keys'>;

export type CommandUseCases = ReturnType<typeof createCommandUseCases>;

type CommandCaller = Operator | Principal | RefusedCaller;

/** Creates the use cases of all commands: those of `ADMINISTRATION`, and those that only commands need. */
export function createCommandUseCases(ports: CommandPorts, lazy: LazyPorts) {
  const keys = signingKeys.createKeyRing(ports);
  const hashing = async () => ({ ...ports, passwords: await lazy.passwords() });
  const verifying = async () => ({ ...ports, keys, signers: await lazy.signers() });
  const signing = async () => ({ ...(await verifying()), encryption: await lazy.encryption() });
  const sealing = async () => ({ ...(await signing()), sealCryptography: await lazy.sealCryptography() });
  const addressing = async () => ({ ...ports, webhookSender: await lazy.webhookSender() });
  const sending = async () => ({
    ...(await addressing()),
    encryption: await lazy.encryption(),
    webhookSecrets: await lazy.webhookSecrets(),
  });
  const probing = async () => ({ ...ports, ...(await lazy.probes()) });
  return {
    ...make(READY, ports),
    ...makeLazy(HASHING, hashing),
    ...makeLazy(SIGNING, signing),
    ...makeLazy(VERIFYING, verifying),
    ...makeLazy(SEALING, sealing),
    ...makeLazy(PROBING, probing),
    ...makeLazy(ADDRESSING, addressing),
    ...makeLazy(SENDING, sending),
    async checkHealth(caller: CommandCaller) {
      const health = await import('@gatehouse/domain/health');
      return health.checkHealth(await probing())(caller);
    },
    /** Rewraps the signing keys, and also returns the places of the master keys. */
    async rewrapKeys(caller: CommandCaller) {
      const masterKeys = await lazy.masterKeys();
      const rewrapped = await signingKeys.rewrapKeys({ ...ports, masterKeys })(caller);
      return rewrapped.ok ? ok({ ...rewrapped.value, placement: masterKeys.placement() }) : rewrapped;
    },
  };
}

function pick<Folder, Name extends keyof Folder>(folder: Folder, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, folder[name]])) as Pick<Folder, Name>;
}
