export { describeMachine } from './machine.ts';
export { reliabilityDocument } from './reliability-document.ts';
export { readResults } from './results.ts';
