export { createTokenChanges, type RunningTokenChanges } from './token-changes.ts';
export { createTokenHandles, type Dependency, type TokenHandles } from './token-handles.ts';
