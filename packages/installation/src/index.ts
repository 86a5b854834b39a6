export {
  createExtensionUseCases,
  type ExtensionUseCasePorts,
  loadExtension,
  loadStoredExtensions,
  openExtensionStore,
} from './extension-use-cases.ts';
export {
  createMonotonicClock,
  createSessionSecrets,
  createSystemClock,
  createUuidTokenIdGenerator,
} from './system-ports.ts';
export { type Made, make, makeLazy, type PortsOf, useCasesIn, without } from './use-case-sets.ts';
export { ADMINISTRATION, createUseCases, type UseCasePorts, type UseCases } from './use-cases.ts';
