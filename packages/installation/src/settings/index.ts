export {
  type DatabaseUrlFile,
  DEFAULT_OPS_PORT,
  type InstallationSettings,
  installationSettings,
  opsSettings,
  readDatabaseUrlFile,
} from './installation-settings.ts';
export { type Environment, embeddedDataDir, parseSettings, type SettingsOf } from './parse-settings.ts';
export { readSecretFile } from './secret-file.ts';
export { host, name, oneOf, path, setting, text, wholeNumber, withoutBrackets } from './values.ts';
