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
export {
  ADMINISTRATION,
  createUseCases,
  type Made,
  make,
  makeLazy,
  type PortsOf,
  type UseCasePorts,
  type UseCases,
  useCasesIn,
  without,
} from './use-cases.ts';
