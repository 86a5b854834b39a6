export { applyEdit, type Edit } from './mutation.ts';
export { type NamedTest, type Requirement, readRequirements, SECURITY_DOCUMENT } from './requirements.ts';
export { readMutationResults } from './results.ts';
export { withMutationTable } from './table.ts';
