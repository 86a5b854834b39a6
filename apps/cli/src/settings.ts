import {
  type Environment,
  type InstallationSettings,
  installationSettings,
  parseSettings,
} from '@gatehouse/installation/settings';
import { usageError } from './errors/command-error.ts';

/** Reads the settings of all commands. Commands that sign also read those of the master key. */
export function readSettings(environment: Environment): InstallationSettings {
  const parsed = parseSettings(installationSettings, environment);
  if (parsed.ok) return parsed.value;
  throw usageError(parsed.error.join('; '));
}
