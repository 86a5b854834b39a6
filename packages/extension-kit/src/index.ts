export type { ExtensionPorts } from './domain/index.ts';
export * from './extension.ts';
export * from './refusals.ts';
