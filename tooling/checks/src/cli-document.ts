import { readFileSync } from 'node:fs';
import {
  type CommandReference,
  describeCommandLine,
  type Reference,
  type ValueReference,
} from '@gatehouse/cli/reference';
import { markdownTable } from './markdown-table.ts';

/** The text about all commands; `{{NAME}}` marks the place of a part below. */
const FRAME = new URL('cli-document.md', import.meta.url);

/** Returns docs/cli.md, generated from the definitions of the commands. */
export function cliDocument(): string {
  const { commands, exitStatuses } = describeCommandLine();
  const parts: Readonly<Record<string, string>> = {
    OVERVIEW: overview(commands),
    EXIT_STATUSES: statuses(exitStatuses),
    COMMANDS: commands.map(section).join('\n\n'),
  };
  return readFileSync(FRAME, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no part ${name} of docs/cli.md`);
    return part;
  });
}

function overview(commands: readonly CommandReference[]): string {
  return markdownTable(
    ['command', ''],
    commands.map(({ path, description }) => [`[\`${short(path)}\`](#${anchor(path)})`, prose(description)]),
  );
}

function statuses(exitStatuses: Reference['exitStatuses']): string {
  return markdownTable(
    ['status', 'meaning'],
    exitStatuses.map(([status, meaning]) => [String(status), meaning]),
  );
}

/** Options that are described once, for all commands. */
const COMMON = new Set(['--json', '--jsonl', '--quiet']);

function section(command: CommandReference): string {
  const { path, usage, description, notes, examples } = command;
  const own = command.options.filter(({ name }) => !COMMON.has(name));
  const common = command.options.filter(({ name }) => COMMON.has(name)).map(({ name }) => `\`${name}\``);
  const values = [
    ...command.arguments.map((each) => valueRow(`\`${each.name}\``, each, { mandatory: true })),
    ...own.map((each) => valueRow(`\`${each.name}\``, each, { mandatory: false })),
  ];
  return [
    `### ${short(path)}`,
    `\`${path} ${usage}\``,
    `${sentence(prose(description))}${common.length > 0 ? ` Takes ${common.join(', ')}.` : ''}`,
    notes.replaceAll(/\n +/g, '\n'),
    values.length > 0 ? markdownTable(['', ''], values) : '',
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Arguments are required unless they say otherwise; options are optional. */
function valueRow(
  name: string,
  value: ValueReference,
  usually: { readonly mandatory: boolean },
): readonly string[] {
  const { description, choices, fallback, environment, mandatory } = value;
  const more = [
    choices.length > 0 && `one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`,
    fallback !== undefined && `default: ${fallback}`,
    environment && `or \`${environment}\``,
    mandatory !== usually.mandatory && (mandatory ? '**required**' : 'may be left out'),
  ].filter((part) => typeof part === 'string');
  return [name.replaceAll('|', '\\|'), [prose(description), ...more].join('; ')];
}

function short(path: string): string {
  return path.replace(/^gatehouse /, '');
}

/** Returns a heading's anchor, as Markdown viewers generate it. */
function anchor(path: string): string {
  return short(path).toLowerCase().replaceAll(' ', '-');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Escapes help text, in which only backticks are Markdown. */
function prose(text: string): string {
  return text.replace(/`[^`]*`|[*<|[\]\\]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}
