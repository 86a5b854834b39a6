export { type NamedTest, type Requirement, readRequirements, SECURITY_DOCUMENT } from './requirements.ts';
export { readMutationResults } from './results.ts';
export { withMutationTable } from './table.ts';
