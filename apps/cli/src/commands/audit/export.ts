import { escapeInvisible } from '@gatehouse/domain';
import type { CommandCaller } from '@gatehouse/extension-kit/cli';
import type { Cli, Gatehouse } from '../../cli.ts';
import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { openExport } from '../../files/export-file.ts';
import { lockFile } from '../../files/file-lock.ts';
import { COUNT } from '../../input/parsers.ts';
import { offer } from '../../output/write.ts';
import { counted } from '../../views/count.ts';
import { type Put, refuseDamaged, toFile, writeSeals } from './write-seals.ts';

export const auditExport = defineSteps({
  verb: 'export',
  summary: 'Export sealed audit events as JSON lines, oldest first',
  options: {
    to: {
      value: 'file',
      description: 'Write to this file, or continue the export in it',
      conflicts: ['after'],
    },
    after: { ...COUNT, description: 'Export only the events after this position' },
  },
  notes: [
    'Before the export, the command seals all committed events. Each event is one line with its position (1, 2, 3 and so on) in the order of sealing, which never changes. After the events of each seal comes a line with the seal: the number of events, the SHA-256 of their lines, and a MAC, which proves that this installation made the seal. The last line is the anchor of the export. Keep a copy of it where users who can change the database cannot write: with it, `gatehouse audit verify` detects that the end of the log was removed.',
    'With --to, the command creates the file, readable only by you, or continues the export in it. If an interrupted command left an incomplete end, that end is written again. The command continues only a regular file that belongs to you, that other users cannot write to, that has no other hard link, and whose end is as this log exported it. It does not follow symbolic links. While one export writes to the file, another is refused (status 5). With --after, the command prints the events after a position. Exports that continue each other neither lose nor repeat an event. Exit status: 6 if events of the log do not match their seals.',
  ],
  examples: ['gatehouse audit export --to audit.jsonl', 'gatehouse audit export --after 1500 | tail -n 1'],
  needs: () => ({ signs: true }),
  prints: 'notes',
  async steps(gatehouse, caller, { to, after = 0 }, { cli, printer }) {
    const { events, end, damaged } = await printer.progress('Exporting the audit log', async (say) => {
      const saying = (position: number) => say(`Exporting the audit log: up to position ${position}`);
      if (to !== undefined) return continueFile(to, gatehouse, caller, cli.signal, saying);
      const seals = unwrap(await gatehouse.exportAuditEvents(caller, { after }));
      return writeSeals(cli.signal, seals, toStdout(cli), saying);
    });
    await printer.note(
      end === undefined
        ? 'There are no new events.'
        : `Exported ${counted(events, 'event')}, up to position ${end.last}.`,
    );
    refuseDamaged(damaged);
  },
});

/**
 * Prints the lines as they were sealed. A terminal gets the characters that control it as `\u` escapes, because users
 * choose names and reasons.
 */
function toStdout({ streams: { stdout } }: Cli): Put {
  return (text) => offer(stdout, stdout.isTTY ? escapeInvisible(text) : text);
}

/** Continues the export of the audit log in this file. Creates the file if it does not exist. */
async function continueFile(
  path: string,
  gatehouse: Gatehouse,
  caller: CommandCaller,
  signal: AbortSignal,
  say: (position: number) => void,
) {
  await using _ = await lockFile(path);
  const { file, end: continues, size } = await openExport(path);
  try {
    const seals = unwrap(await gatehouse.exportAuditEvents(caller, { continues }));
    await file.truncate(size);
    return await writeSeals(signal, seals, toFile(file), say);
  } finally {
    await file.sync();
    await file.close();
  }
}
