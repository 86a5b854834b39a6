export { reliabilityDocument } from './reliability-document.ts';
export { readResults } from './results.ts';
