export { createMonotonicClock, createSystemClock } from './clocks.ts';
export {
  createExtensionUseCases,
  type ExtensionUseCasePorts,
  loadExtension,
  loadStoredExtensions,
  openExtensionStore,
} from './extension-use-cases.ts';
export { createSessionSecrets } from './session-secrets.ts';
export { type Made, make, makeLazy, type PortsOf, useCasesIn, without } from './use-case-sets.ts';
export { ADMINISTRATION, createUseCases, type UseCasePorts, type UseCases } from './use-cases.ts';
export { createUuidTokenIdGenerator } from './uuid-token-id-generator.ts';
