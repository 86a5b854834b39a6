import type { FileHandle } from 'node:fs/promises';
import type { ExportedSeal } from '@gatehouse/domain/audit';
import { type Command, Option } from 'commander';
import type { Cli, Gatehouse } from '../../cli.ts';
import { CommandError, Interrupted } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { openExport } from '../../files/export-file.ts';
import { lockFile } from '../../files/file-lock.ts';
import { describe } from '../../input/help.ts';
import { toCount } from '../../input/parsers.ts';
import { createPrinter } from '../../output/printer.ts';
import { withProgress } from '../../output/progress.ts';
import type { OutputOptions } from '../../output/view.ts';
import { offer } from '../../output/write.ts';
import { counted } from '../../views/count.ts';

interface Options extends Pick<OutputOptions, 'quiet'> {
  readonly after?: number;
  readonly to?: string;
}

const NOTES = [
  'Seals what is committed first. Each event is one line with its position: 1, 2, 3 and so on, in the order in which they were sealed, which never changes. After the events of each seal, there is a line with the seal: how many events it covers, the SHA-256 of their lines, and its MAC. The last line is the anchor of the export. Keep it where the administrators of the database cannot write: with it, `gatehouse audit verify` notices that the end of the log was removed.',
  'With --to, the file is created, only for you to read, or the export that it has is continued; an end that was cut off by an interrupt is written again. A file is continued only if it is a regular file of yours that other users cannot write to, has one name, and ends as this log exported it; symbolic links are not followed. While one export writes to the file, another one to it is refused (status 5). With --after, the events after a position are printed. Exports that continue each other neither lose nor repeat an event. Exit status: 6 if the log does not have events as they were sealed.',
];

export function auditExport(audit: Command, cli: Cli): void {
  const command = audit
    .command('export')
    .description('Export sealed audit events as JSON lines, oldest first');
  describe(command, {
    notes: NOTES,
    examples: ['gatehouse audit export --to audit.jsonl', 'gatehouse audit export --after 1500 | tail -n 1'],
  })
    .addOption(
      new Option('--to <file>', 'Write to this file, or continue the export that it has').conflicts('after'),
    )
    .option('--after <position>', 'Export only events after this position', toCount)
    .option('--quiet', 'Print only errors on standard error');
  command.action(async ({ after = 0, to, ...output }: Options) => {
    await using gatehouse = await cli.open({ signs: true });
    const written = await withProgress(cli, output, 'Exporting the audit log', async (say) => {
      const saying = (last: number) => say(`Exporting the audit log: up to position ${last}`);
      return to === undefined
        ? printFrom(cli, gatehouse, after, saying)
        : writeTo(cli, gatehouse, to, saying);
    });
    const { note } = createPrinter(cli, output);
    await note(
      written.last === undefined
        ? 'There are no new events.'
        : `Exported ${counted(written.events, 'event')}, up to position ${written.last}.`,
    );
    if (written.damaged.length > 0) throw damagedError(written.damaged);
  });
}

export function damagedError(damaged: readonly ExportedSeal['seal'][]): CommandError {
  const ranges = damaged.slice(0, 20).map(({ first, last }) => `${first} to ${last}`);
  const more = damaged.length > 20 ? ', and more' : '';
  return new CommandError(
    'someFailed',
    `The log does not have these events as they were sealed: ${ranges.join(', ')}${more}. \`gatehouse audit verify\` names what differs.`,
  );
}

async function printFrom(cli: Cli, gatehouse: Gatehouse, after: number, say: (last: number) => void) {
  const seals = unwrap(await gatehouse.exportAuditEvents(cli.operator, { after }));
  return writeSeals(cli, seals, say, (text) => offer(cli.streams.stdout, text));
}

async function writeTo(cli: Cli, gatehouse: Gatehouse, path: string, say: (last: number) => void) {
  await using _ = await lockFile(path);
  const { file, end: continues, size } = await openExport(path);
  try {
    const seals = unwrap(await gatehouse.exportAuditEvents(cli.operator, { continues }));
    await file.truncate(size);
    return await writeSeals(cli, seals, say, toFile(file));
  } finally {
    await file.sync();
    await file.close();
  }
}

export const toFile = (file: FileHandle) => async (text: string) => {
  await file.appendFile(text);
  return true;
};

/** Writes seal after seal until `put` returns false. */
export async function writeSeals(
  { signal }: Pick<Cli, 'signal'>,
  seals: AsyncIterable<ExportedSeal>,
  say: (last: number) => void,
  put: (text: string) => Promise<boolean>,
) {
  let events = 0;
  let end: ExportedSeal['seal'] | undefined;
  const damaged: ExportedSeal['seal'][] = [];
  for await (const { lines, seal, damaged: isDamaged } of seals) {
    if (signal.aborted) throw new Interrupted();
    if (!(await put(lines.map((line) => `${line}\n`).join('')))) break;
    events += lines.length - 1;
    end = seal;
    if (isDamaged) damaged.push(seal);
    say(seal.last);
  }
  return { events, last: end?.last, end, damaged };
}
