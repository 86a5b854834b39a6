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
    'Checks the database (encoding, settings, schema, clock, and who may connect), the notifications by which servers learn of changes, the signing keys and the master key. Finds API tokens that are unused, that never expire, or whose owners are inactive, and credentials of services that end soon. The command changes nothing. With --quiet, it prints only the findings. Exit status: 0 without findings, 6 with findings.',
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
