import type { ExportAnchor } from '@gatehouse/domain/audit';
import type { Command } from 'commander';
import type { Cli, Gatehouse } from '../../cli.ts';
import { Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { createOwnFile } from '../../files/own-file.ts';
import { CONSENTS, consentTo } from '../../input/consent.ts';
import { type ChangeOptions, changeOptions } from '../../input/options.ts';
import { toMilliseconds } from '../../input/parsers.ts';
import { createPrinter } from '../../output/printer.ts';
import { type SayProgress, withProgress } from '../../output/progress.ts';
import { write } from '../../output/write.ts';
import { counted } from '../../views/count.ts';
import { damagedError, toFile, writeSeals } from './export.ts';

interface Options extends Omit<ChangeOptions, 'reason'> {
  readonly olderThan: number;
  readonly to: string;
}

export function auditPrune(audit: Command, cli: Cli): void {
  const command = audit
    .command('prune')
    .description('Export old audit events to a file, and delete them from the database')
    .requiredOption(
      '--older-than <duration>',
      'Minimum age of the events, such as 400d; units s, m, h, d, w',
      toMilliseconds,
    )
    .requiredOption('--to <file>', 'The new file to which they are exported first');
  changeOptions(command, {
    asks: true,
    notes: [
      'Deletes the events of whole seals, oldest first, in small batches, and only events that match their seal. The seals stay, so `gatehouse audit verify` still passes, and can compare the file. The file is the only copy of these events: keep it. The command can be interrupted at any time; run it again with another file for the rest. With --json it prints {"events", "through"}.',
    ],
    examples: ['gatehouse audit prune --older-than 400d --to audit-2025.jsonl'],
  });
  command.action(async ({ olderThan: olderThanMs, to, yes, ...output }: Options) => {
    const confirm = consentTo(cli, CONSENTS['audit prune'], yes);
    const printer = createPrinter(cli, output);
    await using gatehouse = await cli.open({ signs: true });
    const exported = await withProgress(cli, output, 'Exporting events', (say) =>
      exportTo(cli, gatehouse, { to, olderThanMs }, say),
    );
    const { end, events } = exported;
    if (end === undefined) {
      await printer.note('There are no sealed events of that age. Nothing was deleted.');
      return printer.document({ events: 0, through: null });
    }
    await printer.note(`Exported ${counted(events, 'event')}, up to position ${end.last}, to ${to}.`);
    await confirm(async () => [`The file is then the only copy of ${counted(events, 'event')}.`]);
    const pruned = await withProgress(cli, output, 'Deleting events', (say) =>
      prune(cli, gatehouse, end, say),
    );
    await printer.note(`Deleted ${counted(pruned, 'event')}.`);
    await printer.document({ events: pruned, through: end.last });
  });
}

/** Writes the events durably to a new file, which is removed if there are none. */
async function exportTo(
  cli: Cli,
  gatehouse: Gatehouse,
  { to, olderThanMs }: { readonly to: string; readonly olderThanMs: number },
  say: SayProgress,
) {
  const { handle: file, discard } = await createOwnFile(to);
  let keeps = false;
  try {
    const seals = unwrap(await gatehouse.exportAuditEvents(cli.operator, { after: 0, olderThanMs }));
    async function* present() {
      for await (const seal of seals) if (seal.seal.pruned === null) yield seal;
    }
    const saying = (last: number) => say(`Exporting events: up to position ${last}`);
    const written = await writeSeals(cli, present(), saying, toFile(file));
    if (written.damaged.length > 0) throw damagedError(written.damaged);
    keeps = written.end !== undefined;
    await file.sync();
    return written;
  } finally {
    if (keeps) await file.close();
    else await discard();
  }
}

/** Deletes one seal's events after another, each in its own transaction, so that an interrupt leaves none half deleted. */
async function prune(
  cli: Cli,
  gatehouse: Gatehouse,
  exported: ExportAnchor,
  say: SayProgress,
): Promise<number> {
  let total = 0;
  try {
    for (;;) {
      if (cli.signal.aborted) throw new Interrupted();
      const { pruned, more } = unwrap(await gatehouse.pruneAuditEvents(cli.operator, exported));
      total += pruned;
      if (!more) return total;
      say(`Deleting events: ${total} done`);
    }
  } catch (error) {
    const message = `Deleted ${counted(total, 'event')}. Run the command again, with another file, for the rest.\n`;
    await write(cli.streams.stderr, message).catch(() => undefined);
    throw error;
  }
}
