export { type Race, type RacingSide, raceOf } from './races.ts';
export { openTestInstallation, type TestInstallation } from './test-installation.ts';
