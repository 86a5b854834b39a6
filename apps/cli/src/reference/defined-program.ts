import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { createProgram } from '../program.ts';

/** The command line as it is defined, for looking at; no command in it can be run. */
export function definedProgram(): Command {
  return createProgram(NOBODY, unused);
}

const unused = () => {
  throw new Error('commands that are only described do nothing');
};

const NOBODY: Cli = {
  streams: process,
  signal: new AbortController().signal,
  operator: { kind: 'operator', name: '', origin: '' },
  path: '',
  defaultFormat: unused,
  open: unused,
  openAsItIs: unused,
  peek: unused,
  migrate: unused,
};
