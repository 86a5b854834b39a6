export { buildKit } from './build-kit.ts';
export { emitKit } from './emit-kit.ts';
export { ROOT, run } from './run.ts';
