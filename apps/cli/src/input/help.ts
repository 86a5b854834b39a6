import type { Command } from 'commander';
import { wrap } from '../output/wrap.ts';

/** The end of a command's help: paragraphs, then examples, each one command line. */
export interface Help {
  readonly notes?: readonly string[];
  readonly examples: readonly [string, ...string[]];
}

const HELPS = new WeakMap<Command, Help>();

export function helpOf(command: Command): Help {
  return HELPS.get(command) ?? { examples: [''] };
}

export function describe(command: Command, help: Help): Command {
  HELPS.set(command, help);
  const { notes = [], examples } = help;
  return command.addHelpText('after', () => {
    const width = command.configureOutput().getOutHelpWidth?.();
    const title = examples.length > 1 ? 'Examples' : 'Example';
    return [
      '',
      ...notes.flatMap((note) => [wrap(note, width), '']),
      `${title}:`,
      ...examples.map((line) => `  $ ${line}`),
      '',
    ].join('\n');
  });
}
