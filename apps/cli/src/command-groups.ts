import type { Extension } from '@gatehouse/extension-kit';
import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { wordsBeforeCursor } from './completion/words-before-cursor.ts';
import type { OwnCommand } from './described/description.ts';

/** Adds a command to its resource, or to the program. */
export type Define = (parent: Command, cli: Cli) => void;

/** The first word after `gatehouse`: a resource with its verbs, or a command. */
export interface CommandGroup {
  readonly name: string;
  /** Facts about a resource before its commands are loaded; each command states them itself. */
  readonly summary?: string;
  /** Loads the commands, in the order of the help. */
  load(): Promise<readonly Define[]>;
}

/**
 * All groups, in the order of the help. The code of one is loaded only if it is called.
 *
 * @throws TypeError if an extension has the name of another command
 */
export function commandGroups(extensions: readonly Extension[]): readonly CommandGroup[] {
  const groups: readonly CommandGroup[] = [
    { name: 'migrate', load: async () => [(await import('./commands/migrate.ts')).migrate] },
    {
      name: 'account',
      summary: 'Manage accounts: the customers who own users, organizations and tokens',
      load: () => ours(import('./commands/account.ts').then(({ ACCOUNT_COMMANDS }) => ACCOUNT_COMMANDS)),
    },
    {
      name: 'user',
      summary: 'Manage the users of accounts',
      load: () => ours(import('./commands/user.ts').then(({ USER_COMMANDS }) => USER_COMMANDS)),
    },
    {
      name: 'org',
      summary: 'Manage organizations and their members',
      load: () => ours(import('./commands/org.ts').then(({ ORG_COMMANDS }) => ORG_COMMANDS)),
    },
    {
      name: 'token',
      summary: 'Manage the tokens with which integrations call the API',
      load: () => ours(import('./commands/token.ts').then(({ TOKEN_COMMANDS }) => TOKEN_COMMANDS)),
    },
    {
      name: 'audit',
      summary: 'Read, export and verify the audit log',
      load: () => ours(import('./commands/audit.ts').then(({ AUDIT_COMMANDS }) => AUDIT_COMMANDS)),
    },
    {
      name: 'key',
      summary: 'Manage the keys that sign tokens',
      load: () => ours(import('./commands/key.ts').then(({ KEY_COMMANDS }) => KEY_COMMANDS)),
    },
    ...extensions.flatMap(groupOfExtension),
    { name: 'doctor', load: async () => [(await import('./commands/doctor.ts')).doctor] },
    { name: 'health', load: async () => [(await import('./commands/health.ts')).health] },
    { name: 'completion', load: async () => [(await import('./commands/completion.ts')).completion] },
  ];
  for (const [index, { name }] of groups.entries()) {
    const first = groups.findIndex((other) => other.name === name);
    if (first !== index) throw new TypeError(`two commands have the name ${name}`);
  }
  return groups;
}

/** Loads the modules, besides the commands themselves, that define commands. */
async function ours(commands: Promise<readonly (OwnCommand | Define)[]>): Promise<readonly Define[]> {
  const [{ defineCommand }, each] = await Promise.all([import('./described/define-command.ts'), commands]);
  return each.map((command) =>
    typeof command === 'function'
      ? command
      : (resource: Command, cli: Cli) => defineCommand(resource, cli, command, (gatehouse) => gatehouse),
  );
}

function groupOfExtension(extension: Extension): readonly CommandGroup[] {
  const { command, cli: layer } = extension;
  if (command === undefined) return [];
  const load = async () => {
    const [{ defineExtensionCommand }, loaded] = await Promise.all([
      import('./extension-commands.ts'),
      layer?.(),
    ]);
    return (loaded?.commands ?? []).map(
      (each): Define =>
        (resource, cli) =>
          defineExtensionCommand(resource, cli, extension, each),
    );
  };
  return [{ ...command, load }];
}

/** The commands of groups that were loaded. */
export type LoadedCommands = ReadonlyMap<CommandGroup, readonly Define[]>;

/**
 * Loads the commands that a command line needs. If it completes another command line, a group that cannot be loaded has none,
 * because completion is silent about faults.
 */
export async function loadCalled(
  groups: readonly CommandGroup[],
  args: readonly string[],
): Promise<LoadedCommands> {
  const completed = await wordsBeforeCursor(args);
  if (completed === undefined) return loadAll(calledIn(groups, args));
  const completion = groups.filter(({ name }) => name === 'completion');
  const called = calledIn(groups, completed).map((group) => loadAll([group]).catch(() => []));
  return new Map([
    ...(await loadAll(completion)),
    ...(await Promise.all(called)).flatMap((each) => [...each]),
  ]);
}

export async function loadAll(groups: readonly CommandGroup[]): Promise<LoadedCommands> {
  return new Map(await Promise.all(groups.map(async (group) => [group, await group.load()] as const)));
}

/**
 * Returns the called group. If there is none, returns the groups that are single commands, because the help shows their
 * arguments.
 */
function calledIn(groups: readonly CommandGroup[], args: readonly string[]): readonly CommandGroup[] {
  if (args[0] === '--version') return [];
  const [first, second] = args.filter((word) => !word.startsWith('-'));
  const called = first === 'help' ? second : first;
  const found = groups.find(({ name }) => name === called);
  return found ? [found] : groups.filter(({ summary }) => summary === undefined);
}
