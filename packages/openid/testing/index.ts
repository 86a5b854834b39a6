export { follow } from './browser.ts';
export { CLIENT, openRealProvider, PERSON_HEADER } from './real-provider.ts';
