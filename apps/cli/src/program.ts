import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { Cli } from './cli.ts';
import { accountCreate, accountList, accountResume, accountSuspend } from './commands/account.ts';
import { auditList } from './commands/audit.ts';
import { completion } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { keyActivate, keyCreate, keyList, keyNewMaster, keyRetire } from './commands/key.ts';
import { keyRewrap } from './commands/key-rewrap.ts';
import { migrate } from './commands/migrate.ts';
import { orgAddMember, orgCreate, orgDelete, orgList, orgRemoveMember, orgUpdate } from './commands/org.ts';
import { tokenCreate } from './commands/token/create.ts';
import { tokenList, tokenWatch } from './commands/token/list.ts';
import { tokenPrune } from './commands/token/prune.ts';
import { tokenRevoke } from './commands/token/revoke.ts';
import { tokenRotate } from './commands/token/rotate.ts';
import { tokenInspect, tokenShow } from './commands/token/show.ts';
import { tokenUpdate } from './commands/token/update.ts';
import { userCreate, userEnable, userList, userSetPassword, userSetRole } from './commands/user.ts';
import { userDisable } from './commands/user-disable.ts';
import { printableError } from './output/printable.ts';
import { markError } from './output/style.ts';

type Define = (parent: Command, cli: Cli) => void;

const RESOURCES: Readonly<Record<string, readonly [string, readonly Define[]]>> = {
  account: [
    'Manage accounts: the customers who own users, organizations and tokens',
    [accountCreate, accountList, accountSuspend, accountResume],
  ],
  user: [
    'Manage the users of accounts',
    [userCreate, userList, userDisable, userEnable, userSetRole, userSetPassword],
  ],
  org: [
    'Manage organizations and their members',
    [orgCreate, orgList, orgUpdate, orgDelete, orgAddMember, orgRemoveMember],
  ],
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
  audit: ['Read the audit log', [auditList]],
  key: [
    'Manage the keys that sign tokens',
    [keyList, keyCreate, keyActivate, keyRetire, keyRewrap, keyNewMaster],
  ],
};

/** Creates the whole command line: `gatehouse <resource> <verb>`. `printHelp` receives help texts and the version. */
export function createProgram(cli: Cli, printHelp: (text: string) => void): Command {
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
  for (const [name, [description, verbs]] of Object.entries(RESOURCES)) {
    const resource = program
      .command(name)
      .description(description)
      .helpCommand('help [command]', 'Show help for a command');
    for (const define of verbs) define(resource, cli);
  }
  doctor(program, cli);
  completion(program, cli);
  return program;
}
