export { PROGRAM_NAMES, type ProgramName } from './bundle-program.ts';
export { bundledProgram, currentProgram } from './current.cjs';
