export { bundleProduction, type ProductionLibraries } from './bundle-production.ts';
export { PROGRAM_NAMES, type ProgramName } from './bundle-program.ts';
export { bundledProgram, currentProgram } from './current.cjs';
