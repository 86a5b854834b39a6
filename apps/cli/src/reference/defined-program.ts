import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { createProgram } from '../program.ts';

/** Creates the command line for its description; its commands cannot be run. */
export function definedProgram(): Command {
  return createProgram(UNUSED, unused);
}

/** The line length of docs/cli.md, in characters. */
const DOCUMENT_WIDTH = 118;

const unused = () => {
  throw new Error('this program is only described');
};

const UNUSED: Cli = {
  streams: {
    stdin: new PassThrough(),
    stdout: Object.assign(new PassThrough(), { columns: DOCUMENT_WIDTH }),
    stderr: new PassThrough(),
  },
  signal: new AbortController().signal,
  operator: { kind: 'operator', name: '', origin: '' },
  path: '',
  defaultFormat: unused,
  open: unused,
  openAsItIs: unused,
  peek: unused,
  migrate: unused,
};
