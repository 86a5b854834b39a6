export { applyEdit, type Edit } from './mutation.ts';
export { MUTATIONS_PAGE, type NamedTest, type Requirement, readRequirements } from './requirements.ts';
export { readMutationResults } from './results.ts';
export { mutationsDocument } from './table.ts';
