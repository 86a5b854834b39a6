import type { Extension } from '@gatehouse/extension-kit';
import type { Command } from 'commander';
import type { Cli } from './cli.ts';
import { wordsBeforeCursor } from './completion/words-before-cursor.ts';
import type { CommandSet, OwnCommand, Resources } from './described/description.ts';

/** Adds a command to its parent. `parent` is the command of a resource, such as `token`, or the whole program. */
type Define = (parent: Command, cli: Cli) => void;

/**
 * The commands that begin with the same word: all commands of a resource, such as `token`, or one single command, such
 * as `doctor`.
 */
export interface CommandGroup {
  readonly name: string;
  /** Describes a resource before its commands are loaded; undefined for a single command, which describes itself. */
  readonly summary?: string;
  /** Loads the commands, in the order of the help. */
  load(): Promise<readonly Define[]>;
}

const RESOURCES: readonly CommandGroup[] = [
  own('migrate', () => import('./commands/migrate.ts')),
  own(
    'account',
    () => import('./commands/account.ts'),
    'Manage accounts: the customers who own users, organizations and tokens',
  ),
  own('user', () => import('./commands/user.ts'), 'Manage the users of accounts'),
  own(
    'service-account',
    () => import('./commands/service-account.ts'),
    'Manage the service accounts: programs that have tokens and no password',
  ),
  own('invitation', () => import('./commands/invitation.ts'), 'Manage the open invitations of accounts'),
  own('org', () => import('./commands/org.ts'), 'Manage organizations and their members'),
  own('token', () => import('./commands/token.ts'), 'Manage the tokens with which integrations call the API'),
  own(
    'service',
    () => import('./commands/service.ts'),
    'Manage the services that accept tokens, with their scopes and credentials',
  ),
  own(
    'provider',
    () => import('./commands/provider.ts'),
    'Show and check the identity providers with which people may sign in',
  ),
  own('mail', () => import('./commands/mail.ts'), 'Check whether messages arrive'),
  own(
    'webhook',
    () => import('./commands/webhook.ts'),
    'Manage the webhooks: addresses to which Gatehouse sends events',
  ),
  own('audit', () => import('./commands/audit.ts'), 'Read, export and verify the audit log'),
  own(
    'reaction',
    () => import('./commands/reaction.ts'),
    'Show and correct what is done after events of the audit log',
  ),
  own('key', () => import('./commands/key.ts'), 'Manage the keys that sign tokens'),
];

const SINGLE: readonly CommandGroup[] = [
  own('doctor', () => import('./commands/doctor.ts')),
  own('health', () => import('./commands/health.ts')),
  own('completion', () => import('./commands/completion.ts')),
];

/**
 * Returns all groups, in the order of the help. The code of a group is loaded only when its function `load` is called.
 *
 * @throws TypeError if an extension has the name of another command
 */
export function commandGroups(extensions: readonly Extension[]): readonly CommandGroup[] {
  const groups = [...RESOURCES, ...extensions.flatMap(groupOfExtension), ...SINGLE];
  for (const [index, { name }] of groups.entries()) {
    const first = groups.findIndex((other) => other.name === name);
    if (first !== index) throw new TypeError(`two commands have the name ${name}`);
  }
  return groups;
}

/**
 * The commands that a file exports, and sets of them that begin with one more word. If the options of a command depend
 * on the installation, such as on its scopes, the file exports a function that returns the command.
 */
interface CommandFile {
  readonly commands: readonly (OwnCommand | CommandSet | ((resources: Resources) => OwnCommand))[];
}

/** A group of Gatehouse's own commands. Loading it also loads the code that defines commands. */
function own(name: string, loadFile: () => Promise<CommandFile>, summary?: string): CommandGroup {
  const load = async () => {
    const [{ defineCommand }, { addResource }, { commands }] = await Promise.all([
      import('./described/define-command.ts'),
      import('./described/add-resource.ts'),
      loadFile(),
    ]);
    const define = (parent: Command, cli: Cli, description: OwnCommand) =>
      defineCommand(parent, cli, description, (gatehouse) => gatehouse);
    return commands.map(
      (each): Define =>
        (resource, cli) => {
          if (typeof each === 'function') return define(resource, cli, each(cli));
          if (!('commands' in each)) return define(resource, cli, each);
          const parent = addResource(resource, each.name, each.summary);
          for (const description of each.commands) define(parent, cli, description);
        },
    );
  };
  return { name, load, ...(summary !== undefined && { summary }) };
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
 * Loads the commands that a command line needs. If the command line asks for completions, a group that cannot be loaded
 * is left out, because completion prints no errors.
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
 * Returns the group that a command line calls. If it calls no group, returns the single commands, because the help then
 * shows their arguments.
 */
function calledIn(groups: readonly CommandGroup[], args: readonly string[]): readonly CommandGroup[] {
  if (args[0] === '--version') return [];
  const [first, second] = args.filter((word) => !word.startsWith('-'));
  const called = first === 'help' ? second : first;
  const found = groups.find(({ name }) => name === called);
  return found ? [found] : groups.filter(({ summary }) => summary === undefined);
}
