export type { ExtensionPorts } from './domain/index.ts';
export {
  type DomainLayer,
  defineExtension,
  type Extension,
  type HttpLayer,
} from './extension.ts';
export { defineRefusals, type Refusal } from './refusals.ts';
