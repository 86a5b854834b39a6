export * from './extension-use-cases.ts';
export * from './system-ports.ts';
export * from './use-cases.ts';
