export { GATE_HOLDS, openStage, type Side } from './stage.ts';
export { withoutLocks } from './without-locks.ts';
