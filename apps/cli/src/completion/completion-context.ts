import type { SuggestionKind } from '@gatehouse/domain/suggestions';
import type { Argument, Command, Option } from 'commander';

/** A possible completion and its description. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** The possible completions of the word at the cursor. */
export interface CompletionContext {
  /** The part of the word before the completed value: `--format=`, or an empty text. */
  readonly stem: string;
  /** The typed beginning of the value. */
  readonly prefix: string;
  /** Candidates that are known without the database. */
  readonly candidates: readonly Candidate[];
  /**
   * The kind of values to look up: `file` in the file system, any other kind in the database. `id` is the id of an
   * extension's resource.
   */
  readonly kind?: SuggestionKind | 'id' | 'file' | undefined;
  /** The resource of the command, such as `token`. */
  readonly resource: string | undefined;
  /** The arguments before this word, by their names in the usage. */
  readonly given: Readonly<Record<string, string>>;
  /** Whether a word that begins with a hyphen would be parsed as an option. */
  readonly isArgument: boolean;
  /** The admin named by `--as` before this word, if any. */
  readonly actor?: string | undefined;
}

/** Determines how to complete `current` after the words `before`. */
export function completionContext(
  program: Command,
  before: readonly string[],
  current: string,
): CompletionContext {
  const { command, awaiting, optionsEnded, words, used, actor } = walk(program, before);
  const argumentsGiven = words.length;
  const names = command.registeredArguments.map((argument) => argument.name());
  const given = Object.fromEntries(words.map((word, index) => [names[index] ?? '', word]));
  const resource = command.parent?.name();
  const at = { stem: '', prefix: current, isArgument: false, actor, resource, given };
  if (awaiting) return { ...at, ...valuesOf(command, awaiting) };
  if (current.startsWith('-') && !optionsEnded) {
    const [, flag, prefix] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
    const option = flag === undefined ? undefined : optionOf(command, flag);
    if (option) return { ...at, stem: `${flag}=`, prefix: prefix ?? '', ...valuesOf(command, option) };
    return { ...at, candidates: flagsOf(command, used) };
  }
  const verbs = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');
  if (verbs.length > 0) {
    const candidates = verbs.map((each) => ({ value: each.name(), description: each.description() }));
    return { ...at, candidates: argumentsGiven === 0 ? candidates : [] };
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[argumentsGiven] ?? (last?.variadic ? last : undefined);
  if (argument) return { ...at, ...valuesOf(command, argument), isArgument: !optionsEnded };
  return { ...at, candidates: optionsEnded ? [] : flagsOf(command, used) };
}

/** Parses the words before the cursor by the rules of commander: finds the command, its options and its arguments. */
function walk(program: Command, before: readonly string[]) {
  let command = program;
  let awaiting: Option | undefined;
  let optionsEnded = false;
  const words: string[] = [];
  let actor: string | undefined;
  const used = new Set<Option>();
  const give = (option: Option, value: string) => {
    if (option.attributeName() === 'as') actor = value;
  };
  for (const word of before) {
    const verb = command.commands.find((each) => each.name() === word);
    if (awaiting) {
      give(awaiting, word);
      awaiting = undefined;
    } else if (word === '--' && !optionsEnded) {
      optionsEnded = true;
    } else if (word.startsWith('-') && !optionsEnded) {
      const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
      const option = optionOf(command, flag);
      if (!option) continue;
      used.add(option);
      if (value !== undefined) give(option, value);
      else if (option.required) awaiting = option;
    } else if (verb && words.length === 0) {
      command = verb;
    } else {
      words.push(word);
    }
  }
  return { command, awaiting, optionsEnded, words, used, actor };
}

function optionOf(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

/** Returns the options of a command as candidates. An option without a value is left out if it was already given. */
function flagsOf(command: Command, used: ReadonlySet<Option>): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => !used.has(option) || option.required)
    .flatMap(({ long, description }) => (long === undefined ? [] : [{ value: long, description }]));
}

/** By the name of a value in the usage, such as `<org>`: the kind of records whose names complete the value. */
const KINDS: Readonly<Record<string, CompletionContext['kind']>> = {
  token: 'token',
  key: 'key',
  account: 'account',
  org: 'organization',
  organization: 'organization',
  user: 'user',
  email: 'user',
  service: 'service',
  scope: 'scope',
  credential: 'credential',
  file: 'file',
};

function valuesOf(
  command: Command,
  value: Option | Argument,
): Pick<CompletionContext, 'candidates' | 'kind'> {
  const candidates = (value.argChoices ?? []).map((choice) => ({ value: choice, description: '' }));
  return { candidates, kind: kindOf(command, value) };
}

/**
 * Returns the kind of a value. An `<id>` of an option is an id of the kind that the option names: of an account for
 * `--account <id>`. An argument `<id>` or `<id-or-name>` refers to the resource of the command: a token for `gatehouse
 * token show`.
 */
function kindOf(command: Command, value: Option | Argument): CompletionContext['kind'] {
  const isOption = 'flags' in value;
  const shown = isOption ? (/[<[]([\w-]+)/.exec(value.flags)?.[1] ?? '') : value.name();
  if (!/^id\b/.test(shown)) return isOption && value.long === `--${shown}` ? undefined : KINDS[shown];
  return isOption ? KINDS[value.attributeName()] : (KINDS[command.parent?.name() ?? ''] ?? 'id');
}
