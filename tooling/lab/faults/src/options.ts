import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';

export interface Options {
  readonly size: 'short' | 'full';
  readonly names: readonly string[];
  /** Skips faults that have a full run at this commit. */
  readonly resume: boolean;
}

/** Parses the arguments; throws an `Error` that says what is valid. */
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
