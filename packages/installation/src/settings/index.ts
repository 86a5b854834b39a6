export { type DatabaseUrlFile, readDatabaseUrlFile } from './database-url-file.ts';
export { type InstallationSettings, installationSettings } from './installation-settings.ts';
export { DEFAULT_OPS_PORT, opsSettings } from './ops-settings.ts';
export { type Environment, embeddedDataDir, parseSettings, type SettingsOf } from './parse-settings.ts';
export { readSecretFile } from './secret-file.ts';
export { setting } from './setting.ts';
export { host, name, oneOf, path, text, wholeNumber, withoutBrackets } from './values.ts';
