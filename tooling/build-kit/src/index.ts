export { buildKit } from './build-kit.ts';
export { emitKit } from './emit-kit.ts';
