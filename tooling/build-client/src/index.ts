export { buildClient } from './build-client.ts';
export type { ClientDocument } from './document.ts';
export { printOperations } from './print-operations.ts';
