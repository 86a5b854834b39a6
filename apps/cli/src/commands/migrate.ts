import { describeFinding } from '@gatehouse/domain/health';
import type { Command } from 'commander';
import type { Cli, Migrated } from '../cli.ts';
import { CommandError } from '../errors/command-error.ts';
import { notMigrated } from '../errors/not-migrated.ts';
import { unwrap } from '../errors/refusals.ts';
import { CONSENTS, consentTo } from '../input/consent.ts';
import type { ChangeOptions } from '../input/options.ts';
import { changeOptions } from '../input/options.ts';
import { createPrinter } from '../output/printer.ts';
import { withProgress } from '../output/progress.ts';
import type { OutputOptions } from '../output/view.ts';
import { counted } from '../views/count.ts';

interface Options extends ChangeOptions {
  readonly drop?: string;
}

export function migrate(program: Command, cli: Cli): void {
  const command = program
    .command('migrate')
    .description("Bring the database's schema up to date, and those of extensions")
    .option('--drop <extension>', "Drop an extension's tables instead, also if it is not installed any more");
  changeOptions(command, {
    asks: true,
    examples: [
      'DATABASE_URL=postgres://db.example/gatehouse gatehouse migrate',
      'gatehouse migrate --drop work-orders',
    ],
  });
  command.action(({ drop, yes, ...output }: Options) =>
    drop === undefined ? bringUpToDate(cli, output) : dropTables(cli, drop, yes, output),
  );
}

async function bringUpToDate(cli: Cli, options: OutputOptions): Promise<void> {
  const printer = createPrinter(cli, options);
  const migrated = await withProgress(cli, options, 'Bringing the schema up to date', (_, above) =>
    cli.migrate({
      onApplied: (name) => above(() => printer.note(`Applied ${name}.`)),
      onUnfit(property) {
        const { message, remedy } = describeFinding(property);
        return above(() => printer.note(`warning: ${message} ${remedy}`));
      },
      onWaiting: (text) => above(() => printer.note(`${text} ...`)),
    }),
  );
  const { applied, failed, installed, unlimitedTokens, sharedEmails } = migrated;
  if (installed.length > 0 && unlimitedTokens > 0) await printer.note(grownTokens(migrated));
  for (const { email, sharedWith } of sharedEmails) {
    if (sharedWith === null) continue;
    await printer.note(
      `${email} and ${sharedWith} are the same address in two spellings. Both users sign in as before; \`gatehouse doctor\` says what to do.`,
    );
  }
  if (failed.length > 0) {
    throw new CommandError('fault', [...failed.map(notMigrated), 'Everything else is up to date.']);
  }
  await printer.note('The schema is up to date.');
  await printer.document({ applied });
}

function grownTokens({ installed, unlimitedTokens }: Migrated): string {
  const one = unlimitedTokens === 1;
  return `${counted(unlimitedTokens, 'live token')} ${one ? 'has' : 'have'} the scope *, and may now do what ${installed.join(' and ')} ${installed.length === 1 ? 'adds' : 'add'}: \`gatehouse token list --state active\` shows the scopes.`;
}

async function dropTables(
  cli: Cli,
  name: string,
  yes: boolean | undefined,
  output: OutputOptions,
): Promise<void> {
  const confirm = consentTo(cli, CONSENTS['migrate --drop'], yes);
  const printer = createPrinter(cli, output);
  await using gatehouse = await cli.openAsItIs();
  await confirm(async () => {
    const tables = unwrap(await gatehouse.findExtensionTables(cli.operator, name));
    if (tables.length === 0) return [`The extension ${name} has no tables.`];
    const rows = tables.map((each) => `${each.table}: ${counted(each.rows, 'row')}`);
    return [`The extension ${name} has ${counted(tables.length, 'table')}:`, ...rows];
  });
  const dropped = unwrap(await gatehouse.dropExtensionTables(cli.operator, name));
  await printer.note(
    `Dropped the tables of ${name}. If it is installed, \`gatehouse migrate\` creates them again.`,
  );
  await printer.document({ dropped });
}
