export { type DatabaseUrlFile, readDatabaseUrlFile } from './database-url-file.ts';
export { type InstallationSettings, installationSettings } from './installation-settings.ts';
export { DEFAULT_OPS_PORT, opsSettings } from './ops-settings.ts';
export { type Environment, embeddedDataDir, parseSettings } from './parse-settings.ts';
export { readSecretFile } from './secret-file.ts';
export { host, name, oneOf, text, wholeNumber, withoutBrackets } from './values.ts';
