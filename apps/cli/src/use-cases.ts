import { ok } from '@gatehouse/domain';
import type { Caller } from '@gatehouse/domain/access';
import {
  exportAuditEvents,
  pruneAuditEvents,
  reapplyAuditEvents,
  type SealCryptography,
  verifyAuditLog,
} from '@gatehouse/domain/audit';
import {
  dropExtensionTables,
  type ExtensionSchemas,
  findAccountBelongings,
  findBelongings,
  findExtensionTables,
} from '@gatehouse/domain/extensions';
import type { ChangeFeedProbe, FindMasterKey, FindOpenRoutes, StoreProbe } from '@gatehouse/domain/health';
import { checkHealth } from '@gatehouse/domain/health';
import { rewrapKeys } from '@gatehouse/domain/signing-keys';
import { type UsageFeed, type UsageRecorderHealth, watchTokens } from '@gatehouse/domain/tokens';
import { createUseCases, late, type UseCasePorts } from '@gatehouse/installation';
import type { PlacedMasterKeys } from './master-keys.ts';

export interface CommandPorts extends UseCasePorts {
  readonly usageFeed: UsageFeed;
  readonly usageRecorders: UsageRecorderHealth;
  readonly storeProbe: StoreProbe;
  readonly changeFeedProbe: ChangeFeedProbe;
  readonly extensionSchemas: ExtensionSchemas;
  readonly findMasterKey: FindMasterKey;
  readonly findOpenRoutes: FindOpenRoutes;
  sealCryptography(): Promise<SealCryptography>;
  masterKeys(): Promise<PlacedMasterKeys>;
}

export type CommandUseCases = ReturnType<typeof createCommandUseCases>;

/** Creates the use cases of the command line: those of administration, and those that only commands need. */
export function createCommandUseCases(ports: CommandPorts) {
  const sealing = async () => {
    const [encryption, sealCryptography] = [await ports.encryption(), await ports.sealCryptography()];
    return { ...ports, encryption, sealCryptography };
  };
  const signing = async () => ({ ...(await sealing()), signers: await ports.signers() });
  return {
    ...createUseCases(ports),
    checkHealth: checkHealth(ports),
    dropExtensionTables: dropExtensionTables(ports),
    exportAuditEvents: late(async () => exportAuditEvents(await signing())),
    findAccountBelongings: findAccountBelongings(ports),
    findBelongings: findBelongings(ports),
    findExtensionTables: findExtensionTables(ports),
    pruneAuditEvents: late(async () => pruneAuditEvents(await sealing())),
    reapplyAuditEvents: late(async () => reapplyAuditEvents(await sealing())),
    /** Also returns where the master keys are now. */
    async rewrapKeys(caller: Caller) {
      const masterKeys = await ports.masterKeys();
      const rewrapped = await rewrapKeys({ ...ports, masterKeys })(caller);
      return rewrapped.ok ? ok({ ...rewrapped.value, placement: masterKeys.placement() }) : rewrapped;
    },
    verifyAuditLog: late(async () => verifyAuditLog(await sealing())),
    watchTokens: watchTokens(ports),
  };
}
