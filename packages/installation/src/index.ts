export * from './extension-use-cases.ts';
export * from './guards.ts';
export * from './identity-providers.ts';
export * from './mailer.ts';
export * from './second-factor-secrets.ts';
export * from './service-names.ts';
export * from './system-ports.ts';
export * from './use-cases.ts';
