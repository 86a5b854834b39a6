import type { Gatehouse } from '../../cli.ts';
import { defineSteps } from '../../described/kinds.ts';
import { unwrap } from '../../errors/refusals.ts';
import { createOwnFile } from '../../files/own-file.ts';
import { DURATION } from '../../input/parsers.ts';
import { counted } from '../../views/count.ts';
import { deleteInBatches } from '../in-batches.ts';
import { UNITS } from '../shared-options.ts';
import { refuseDamaged, toFile, writeSeals } from './write-seals.ts';

export const auditPrune = defineSteps({
  verb: 'prune',
  summary: 'Export old audit events to a file, and delete them from the database',
  options: {
    olderThan: {
      ...DURATION,
      description: `Minimum age of the events, such as 400d; ${UNITS}`,
      required: true,
    },
    to: {
      value: 'file',
      description: 'The new file to which the events are exported before they are deleted',
      required: true,
    },
  },
  notes: [
    'Deletes the oldest events first, in small batches. The events that one seal covers are deleted together, and only if they match the seal. The seals stay in the database, so `gatehouse audit verify` still passes, and can verify the file. The file is then the only copy of these events: keep it. The command can be interrupted at any time; to delete the other events, run it again with another file. With --json it prints {"events", "through"}.',
  ],
  examples: ['gatehouse audit prune --older-than 400d --to audit-2025.jsonl'],
  asks: {
    action: 'delete the events',
    question: 'This cannot be undone. Delete these events from the database?',
    declined: 'Nothing was deleted.',
  },
  needs: () => ({ signs: true }),
  prints: 'change',
  async steps(gatehouse, caller, { olderThan: olderThanMs, to }, tools) {
    const { printer, confirm } = tools;
    const { end, events } = await printer.progress('Exporting events', async (say) => {
      const sealed = () => gatehouse.exportAuditEvents(caller, { after: 0, olderThanMs });
      const saying = (position: number) => say(`Exporting events: up to position ${position}`);
      return exportTo(to, sealed, tools.cli.signal, saying);
    });
    if (end === undefined) {
      await printer.note('There are no sealed events of that age. Nothing was deleted.');
      return printer.document({ events: 0, through: null });
    }
    await printer.note(`Exported ${counted(events, 'event')}, up to position ${end.last}, to ${to}.`);
    await confirm(async () => [`The file will then be the only copy of ${counted(events, 'event')}.`]);
    const pruned = await deleteInBatches(tools, MESSAGES, () => gatehouse.pruneAuditEvents(caller, end));
    return printer.document({ events: pruned, through: end.last });
  },
});

const MESSAGES = {
  doing: 'Deleting events',
  done: (total: number) => `Deleted ${counted(total, 'event')}.`,
  again: 'To delete the other events, run the command again with another file.',
};

/** Writes the events durably to a new file. If there are no events, removes the file. */
async function exportTo(
  path: string,
  sealed: () => ReturnType<Gatehouse['exportAuditEvents']>,
  signal: AbortSignal,
  say: (position: number) => void,
) {
  const { handle: file, discard } = await createOwnFile(path);
  let keeps = false;
  try {
    const seals = unwrap(await sealed());
    async function* present() {
      for await (const seal of seals) if (seal.seal.pruned === null) yield seal;
    }
    const written = await writeSeals(signal, present(), toFile(file), say);
    refuseDamaged(written.damaged);
    keeps = written.end !== undefined;
    await file.sync();
    return written;
  } finally {
    if (keeps) await file.close();
    else await discard();
  }
}
