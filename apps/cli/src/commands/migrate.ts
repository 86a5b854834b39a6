import { describeFinding } from '@gatehouse/domain/health';
import type { Migrated } from '../cli.ts';
import type { Tools } from '../described/description.ts';
import { defineAlone } from '../described/kinds.ts';
import { CommandError, notMigrated } from '../errors/command-error.ts';
import { unwrap } from '../errors/refusals.ts';
import { counted } from '../views/count.ts';

const migrate = defineAlone({
  verb: 'migrate',
  summary: 'Bring the database schema up to date, for Gatehouse and for its extensions',
  options: {
    drop: {
      value: 'extension',
      description: 'Drop the tables of this extension instead; it need not be installed',
    },
  },
  examples: [
    'DATABASE_URL=postgres://db.example/gatehouse gatehouse migrate',
    'gatehouse migrate --drop work-orders',
  ],
  asks: {
    action: 'drop the tables',
    question: 'This cannot be undone. Drop the tables?',
    declined: 'Nothing was dropped.',
    when: ({ drop }) => drop !== undefined,
  },
  prints: 'change',
  alone: ({ drop }, tools) => (drop === undefined ? bringUpToDate(tools) : dropTables(tools, drop)),
});

async function bringUpToDate({ cli, printer }: Tools): Promise<void> {
  const migrated = await printer.progress('Bringing the schema up to date', (_, above) =>
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
  return `${counted(unlimitedTokens, 'live token')} ${one ? 'has' : 'have'} the scope *, and now also ${one ? 'allows' : 'allow'} what the new ${installed.length === 1 ? 'extension' : 'extensions'} ${installed.join(' and ')} ${installed.length === 1 ? 'adds' : 'add'}. \`gatehouse token list --state active\` shows the scopes of tokens.`;
}

async function dropTables({ cli, printer, confirm }: Tools, name: string): Promise<void> {
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

export const commands = [migrate];
