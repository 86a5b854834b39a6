import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { type Command, Option } from 'commander';
import { toAccountId, toActor } from './parsers.ts';

const json = () => new Option('--json', 'print one JSON document on standard output');

/** What every command has. */
export function outputOptions(command: Command): Command {
  return command.addOption(json()).option('--quiet', 'say nothing on standard error but what went wrong');
}

export function listOutputOptions(command: Command): Command {
  return outputOptions(command).addOption(
    new Option('--jsonl', 'print one JSON object a line').conflicts('json'),
  );
}

export function accountOption(): Option {
  return new Option('--account <id>', 'the account, by its id').argParser(toAccountId);
}

export function asOption(description: string): Option {
  const option = new Option('--as <email>', description).argParser(toActor);
  // An empty variable is an unset one.
  return process.env.GATEHOUSE_AS === '' ? option : option.env('GATEHOUSE_AS');
}

export function formatOption(otherwise = 'TOKEN_FORMAT'): Option {
  return new Option('--format <format>', `how it is written and signed (default: ${otherwise})`).choices(
    TOKEN_FORMATS,
  );
}

/** The last part of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  $ ${line}\n`).join('')}`;
}
