export { follow } from './browser.ts';
export { CLIENT, openRealProvider, PERSON_HEADER } from './real-provider.ts';
export { SCENES as PROVIDER_FAILURE_SCENES } from './refused-sign-ins.ts';
