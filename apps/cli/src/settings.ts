import {
  type Environment,
  type InstallationSettings,
  installationSettings,
  parseSettings,
} from '@gatehouse/installation/settings';
import { usageError } from './errors/command-error.ts';

/** Reads the settings that commands need; those of the master key are read by the commands that sign. */
export function readSettings(environment: Environment): InstallationSettings {
  const parsed = parseSettings(installationSettings, environment);
  if (parsed.ok) return parsed.value;
  throw usageError(parsed.error.join('; '));
}
