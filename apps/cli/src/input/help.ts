import type { Command } from 'commander';
import { wrap } from '../output/wrap.ts';

/** What the help of a command says after its options: paragraphs, then examples, each one command line. */
export interface Help {
  readonly notes?: readonly string[];
  readonly examples: readonly [string, ...string[]];
}

export function describe(command: Command, { notes = [], examples }: Help): Command {
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
