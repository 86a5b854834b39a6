import type { Command, Option } from 'commander';
import type { UsedFilters } from '../output/printer.ts';

/** An option that filters a list, and the title of the column that shows what it filters by, if there is one. */
export type Filter = readonly [Option, column?: string];

export function filterOptions(command: Command, filters: readonly Filter[]): Command {
  for (const [option] of filters) command.addOption(option);
  return command;
}

/** Which of the filters these options use. */
export function usedFilters(filters: readonly Filter[], options: object): UsedFilters {
  const used = filters.filter(([option]) => option.attributeName() in options);
  return { isFiltered: used.length > 0, filtered: used.flatMap(([, column]) => column ?? []) };
}
