import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';

export interface Options {
  readonly size: 'short' | 'full';
  readonly names: readonly string[];
  /** Leaves out what has a full run at this commit already. */
  readonly resume: boolean;
}

/** Reads the arguments; what is wrong with them is an `Error` that says what would be right. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { full: { type: 'boolean', default: false }, resume: { type: 'boolean', default: false } },
  });
  const known = Object.keys(FAULTS);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`there is no fault ${unknown.join(', ')}: they are ${known.join(', ')}`);
  }
  const names = positionals.length > 0 ? known.filter((name) => positionals.includes(name)) : known;
  return { size: values.full ? 'full' : 'short', names, resume: values.resume };
}
