export {
  type DomainLayer,
  defineExtension,
  type Extension,
  type ExtensionPorts,
  type HttpLayer,
} from './extension.ts';
export { defineRefusals, type Refusal } from './refusals.ts';
