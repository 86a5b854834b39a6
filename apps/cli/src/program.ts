import { checkRefusals } from '@gatehouse/domain/resources';
import type { DescribedCommand } from '@gatehouse/extension-kit/cli';
import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { Cli, Gatehouse } from './cli.ts';
import { ACCOUNT_COMMANDS } from './commands/account.ts';
import { auditExport } from './commands/audit/export.ts';
import { auditPrune } from './commands/audit/prune.ts';
import { auditReapply } from './commands/audit/reapply.ts';
import { auditVerify } from './commands/audit/verify.ts';
import { auditList } from './commands/audit.ts';
import { completion } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { health } from './commands/health.ts';
import { keyActivate, keyCreate, keyList, keyNewMaster, keyRetire } from './commands/key.ts';
import { keyRewrap } from './commands/key-rewrap.ts';
import { migrate } from './commands/migrate.ts';
import { ORG_COMMANDS } from './commands/org.ts';
import { tokenCreate } from './commands/token/create.ts';
import { tokenList, tokenWatch } from './commands/token/list.ts';
import { tokenPrune } from './commands/token/prune.ts';
import { tokenRevoke } from './commands/token/revoke.ts';
import { tokenRotate } from './commands/token/rotate.ts';
import { tokenInspect, tokenShow } from './commands/token/show.ts';
import { tokenUpdate } from './commands/token/update.ts';
import { userCreate, userEnable, userList, userSetPassword, userSetRole } from './commands/user.ts';
import { userDisable } from './commands/user-disable.ts';
import { defineCommand } from './described/define-command.ts';
import { addExtensionCommands, type LoadedCommands } from './extension-commands.ts';
import { printableError } from './output/printable.ts';
import { markError } from './output/style.ts';

/** A command that is described, or one that is written by hand. */
type Define = DescribedCommand<Gatehouse> | ((parent: Command, cli: Cli) => void);

const RESOURCES: Readonly<Record<string, readonly [string, readonly Define[]]>> = {
  account: ['Manage accounts: the customers who own users, organizations and tokens', ACCOUNT_COMMANDS],
  user: [
    'Manage the users of accounts',
    [userCreate, userList, userDisable, userEnable, userSetRole, userSetPassword],
  ],
  org: ['Manage organizations and their members', ORG_COMMANDS],
  token: [
    'Manage the tokens with which integrations call the API',
    [
      tokenCreate,
      tokenList,
      tokenShow,
      tokenInspect,
      tokenUpdate,
      tokenRevoke,
      tokenRotate,
      tokenWatch,
      tokenPrune,
    ],
  ],
  audit: [
    'Read, export and verify the audit log',
    [auditList, auditExport, auditVerify, auditPrune, auditReapply],
  ],
  key: [
    'Manage the keys that sign tokens',
    [keyList, keyCreate, keyActivate, keyRetire, keyRewrap, keyNewMaster],
  ],
};

/**
 * Creates the whole command line: `gatehouse <resource> <verb>`. `printHelp` receives help texts and the version.
 * Extensions whose commands are not loaded have their name and summary only.
 *
 * @throws Error if an extension has the name of another command, or the refusal of another
 */
export function createProgram(
  cli: Cli,
  printHelp: (text: string) => void,
  loaded: LoadedCommands = new Map(),
): Command {
  const { stdout, stderr } = cli.streams;
  const program = new Command('gatehouse')
    .description('Administer Gatehouse, the organization directory and API-token authority.')
    .version(packageJson.version, '--version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .exitOverride()
    .showHelpAfterError('Run the command with --help to see its usage.')
    .configureOutput({
      writeOut: printHelp,
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(markError(printableError(text), stderr)),
      getOutHelpWidth: () => stdout.columns ?? 80,
    })
    .addHelpText('after', '\nRun `gatehouse <resource> <verb> --help` for the options of a command.');
  migrate(program, cli);
  for (const [name, [summary, commands]] of Object.entries(RESOURCES)) {
    const resource = addResource(program, name, summary);
    for (const command of commands) {
      if (typeof command === 'function') command(resource, cli);
      else defineCommand(resource, cli, command, (gatehouse) => gatehouse);
    }
  }
  checkRefusals(cli.extensions);
  for (const extension of cli.extensions) {
    const { command } = extension;
    if (command === undefined) continue;
    const resource = addResource(program, command.name, command.summary);
    addExtensionCommands(resource, cli, extension, loaded.get(extension) ?? []);
  }
  doctor(program, cli);
  health(program, cli);
  completion(program, cli);
  return program;
}

function addResource(program: Command, name: string, summary: string): Command {
  return program.command(name).description(summary).helpCommand('help [command]', 'Show help for a command');
}
