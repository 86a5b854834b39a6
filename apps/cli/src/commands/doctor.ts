import { UnavailableFault } from '@gatehouse/domain';
import { databaseNotOpened, findingsOf, type HealthReport } from '@gatehouse/domain/health';
import type { Cli } from '../cli.ts';
import { defineAlone } from '../described/kinds.ts';
import { CommandError, DataFolderExposed } from '../errors/command-error.ts';
import { unwrap } from '../errors/refusals.ts';
import { widthOf } from '../output/wrap.ts';
import { counted } from '../views/count.ts';
import { healthDocument, healthLines } from '../views/health-view.ts';

const doctor = defineAlone({
  verb: 'doctor',
  summary: 'Report anything that needs attention',
  notes: [
    'Checks the database, its encoding and settings, its schema and clock, who may connect to it, the change feed, the signing keys and the master key, and API tokens that are unused, never expire, or whose owners are inactive. It changes nothing. With --quiet, it prints findings only. Exit status: 0 if there is nothing to do, 6 if there is.',
  ],
  examples: ['gatehouse doctor', 'gatehouse doctor --json'],
  prints: 'item',
  async alone(_, { cli, output, printer }) {
    const report = await printer.progress('Looking', () => examine(cli));
    const lines = healthLines(report, output.quiet ? 'findings' : 'all', widthOf(cli.streams.stdout));
    if (output.json || lines.length > 0) await printer.value(lines.join('\n'), healthDocument(report));
    const { length: count } = findingsOf(report);
    if (count > 0) throw new CommandError('someFailed', `${counted(count, 'finding')}.`);
  },
});

async function examine(cli: Cli): Promise<HealthReport> {
  try {
    await using gatehouse = await cli.openAsItIs();
    return unwrap(await gatehouse.checkHealth(cli.operator));
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    if (error instanceof UnavailableFault) return databaseNotOpened({ code: 'database_unreachable', reason });
    if (error instanceof DataFolderExposed) return databaseNotOpened({ code: 'data_folder_exposed', reason });
    throw error;
  }
}

export const commands = [doctor];
