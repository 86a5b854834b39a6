import { readFileSync } from 'node:fs';
import { describedCommands, EXIT, EXIT_MEANINGS, helpOf, pathOf } from '@gatehouse/cli/reference';
import { CATALOG } from '@gatehouse/extensions';
import { markdownTable } from './markdown-table.ts';

/** The text about all commands; `{{NAME}}` marks the place of a part below. */
const FRAME = new URL('cli-document.md', import.meta.url);

type Command = Awaited<ReturnType<typeof describedCommands>>[number];
type Value = Command['options'][number] | Command['registeredArguments'][number];

/** Returns docs/administer/cli.md, generated from the definitions of the commands. */
export async function cliDocument(): Promise<string> {
  const commands = await describedCommands();
  const statuses = Object.entries(EXIT) as readonly [keyof typeof EXIT, number][];
  const parts: Readonly<Record<string, string>> = {
    SCOPES: scopes(),
    OVERVIEW: markdownTable(['command', 'what it does'], commands.map(overviewRow)),
    EXIT_STATUSES: markdownTable(
      ['status', 'meaning'],
      statuses.map(([name, status]) => [String(status), EXIT_MEANINGS[name]]),
    ),
    COMMANDS: commands.map(section).join('\n\n'),
  };
  return readFileSync(FRAME, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no part ${name} of docs/administer/cli.md`);
    return part;
  });
}

/** The scopes except `*`, which has a description of its own. */
function scopes(): string {
  const named = CATALOG.scopes.filter((scope) => scope !== '*').map((scope) => `\`${scope}\``);
  return new Intl.ListFormat('en-GB').format(named);
}

function overviewRow(command: Command): readonly string[] {
  const name = short(command);
  return [`[\`${name}\`](#${name.toLowerCase().replaceAll(' ', '-')})`, prose(command.description())];
}

/** Options that are described once, for all commands. */
const COMMON = new Set(['--json', '--jsonl', '--quiet']);

function section(command: Command): string {
  const { notes = [], examples } = helpOf(command);
  const options = command.options.filter(({ hidden }) => !hidden);
  const own = options.filter(({ flags }) => !COMMON.has(flags));
  const common = options.filter(({ flags }) => COMMON.has(flags)).map(({ flags }) => `\`${flags}\``);
  const values = [
    ...command.registeredArguments.map((each) =>
      valueRow(`${each.name()}${each.variadic ? '...' : ''}`, each, !each.required && 'may be left out'),
    ),
    ...own.map((each) =>
      valueRow(
        each.flags,
        each,
        each.envVar !== undefined && `or \`${each.envVar}\``,
        each.mandatory && '**required**',
      ),
    ),
  ];
  return [
    `### ${short(command)}`,
    `\`${pathOf(command)} ${command.usage()}\``,
    [
      sentence(prose(command.description())),
      ...notes,
      ...(common.length > 0 ? [`Takes ${common.join(', ')}.`] : []),
    ].join('\n'),
    values.length > 0 ? markdownTable(['argument or option', 'meaning'], values) : '',
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function valueRow(name: string, value: Value, ...remarks: readonly (string | false)[]): readonly string[] {
  const {
    description,
    argChoices,
    defaultValue,
    defaultValueDescription = JSON.stringify(defaultValue),
  } = value;
  const more = [
    argChoices !== undefined && `one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`,
    defaultValueDescription !== undefined && `default: ${defaultValueDescription}`,
    ...remarks,
  ].filter((part) => typeof part === 'string');
  return [`\`${name}\``.replaceAll('|', '\\|'), [prose(description), ...more].join('; ')];
}

function short(command: Command): string {
  return pathOf(command).replace(/^gatehouse /, '');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Escapes help text, in which only backticks are Markdown. */
function prose(text: string): string {
  return text.replace(/`[^`]*`|[*<|[\]\\]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}
