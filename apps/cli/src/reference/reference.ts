import type { Argument, Command, Option } from 'commander';
import { EXIT, EXIT_MEANINGS } from '../errors/exit-status.ts';
import { epilogueOf, examplesOf, leafCommands, pathOf } from './command-tree.ts';
import { definedProgram } from './defined-program.ts';

export interface Reference {
  readonly commands: readonly CommandReference[];
  /** Each status with its meaning, in ascending order. */
  readonly exitStatuses: readonly (readonly [number, string])[];
}

export interface CommandReference {
  /** Such as `gatehouse token list`. */
  readonly path: string;
  readonly usage: string;
  readonly description: string;
  /** The paragraphs of its help before the examples. */
  readonly notes: string;
  readonly arguments: readonly ValueReference[];
  readonly options: readonly ValueReference[];
  readonly examples: readonly string[];
}

/** An argument or an option. */
export interface ValueReference {
  readonly name: string;
  readonly description: string;
  readonly choices: readonly string[];
  /** The default value, as the help shows it. */
  readonly fallback: string | undefined;
  readonly environment: string | undefined;
  readonly mandatory: boolean;
}

/** The reference of all commands, from their definitions. */
export function describeCommandLine(): Reference {
  return {
    commands: leafCommands(definedProgram()).map(describe),
    exitStatuses: Object.entries(EXIT).map(([name, status]) => [
      status,
      EXIT_MEANINGS[name as keyof typeof EXIT],
    ]),
  };
}

function describe(command: Command): CommandReference {
  return {
    path: pathOf(command),
    usage: command.usage(),
    description: command.description(),
    notes: epilogueOf(command).replace(/\n*Examples?:.*$/s, ''),
    arguments: command.registeredArguments.map((argument) => ({
      ...described(argument),
      name: argument.variadic ? `${argument.name()}...` : argument.name(),
      environment: undefined,
      mandatory: argument.required,
    })),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => ({
        ...described(option),
        name: option.flags,
        environment: option.envVar,
        mandatory: option.mandatory,
      })),
    examples: examplesOf(command),
  };
}

function described({ description, argChoices, defaultValue, defaultValueDescription }: Argument | Option) {
  const fallback = defaultValue === undefined ? undefined : JSON.stringify(defaultValue);
  return { description, choices: argChoices ?? [], fallback: defaultValueDescription ?? fallback };
}
