export * from './identity-providers/providers-file.ts';
export * from './installation-settings.ts';
export * from './parse-settings.ts';
export * from './secret-file.ts';
export * from './values.ts';
