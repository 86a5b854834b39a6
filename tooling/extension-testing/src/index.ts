export {
  openTestCommandLine,
  openTestServer,
  type TestCommandLine,
  type TestOutcome,
  type TestRequest,
  type TestServer,
} from './apps.ts';
export { askGuards } from './guards.ts';
export { type Race, type RacingSide, raceOf } from './races.ts';
export { happen, type MadeUpEvent } from './reactions.ts';
export { openTestInstallation, type TestInstallation } from './test-installation.ts';
