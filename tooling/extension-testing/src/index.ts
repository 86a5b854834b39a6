export { openTestInstallation, type TestInstallation } from './test-installation.ts';
