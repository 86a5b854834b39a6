export { defineExtension, type Extension, type ExtensionPorts } from './extension.ts';
