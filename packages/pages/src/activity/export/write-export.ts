import type { ServerResponse } from 'node:http';
import type { Pages } from '@gatehouse/domain';
import type { ToldEntry } from '@gatehouse/domain/audit';
import { createPatientWriter } from '../../http/patient-writer.ts';
import type { PagePorts } from '../../ports.ts';
import type { ExportFormat } from './formats.ts';

type Ports = Pick<PagePorts, 'clock' | 'isDraining' | 'pause'>;

/** The largest number of events of an export. */
export const MAX_EXPORTED = 100_000;

/** The longest time of an export, in milliseconds: 5 minutes. */
const MAX_TIME_MS = 300_000;

/** How many events one write sends: about 20 kB, which also a slow client reads in time. */
const BATCH = 50;

/** Why an export ends before its last event. */
const CUT = {
  count: `An export has at most ${MAX_EXPORTED} events, and there are older ones. Export them with an earlier last day.`,
  time: 'An export takes at most 5 minutes. Export fewer days at a time.',
  draining: 'The server was stopped. Export again.',
  access: 'The session ended or was renewed during the export. Export again.',
};

/**
 * Writes an export, and ends the response. The last line of the file says whether the export has all events. If the
 * client does not read, the response ends without that line, and the browser reports that the download failed.
 *
 * @param pages up to `MAX_EXPORTED + 1` events
 * @param mayRead whether the reader may still read the events, asked after each page
 */
export async function writeExport(
  ports: Ports,
  response: ServerResponse,
  format: ExportFormat,
  pages: Pages<ToldEntry>,
  mayRead: () => Promise<boolean>,
): Promise<void> {
  const write = createPatientWriter(ports, response);
  const end = ports.clock.now() + MAX_TIME_MS;
  let count = 0;

  function cutNow(): string | undefined {
    if (ports.isDraining()) return CUT.draining;
    if (ports.clock.now() >= end) return CUT.time;
    return count >= MAX_EXPORTED ? CUT.count : undefined;
  }

  /** Writes a page. Returns why the export ends in this page; undefined if it goes on. */
  async function writePage(page: readonly ToldEntry[]): Promise<string | undefined | typeof GONE> {
    for (let start = 0; start < page.length; ) {
      const cut = cutNow();
      if (cut !== undefined) return cut;
      const batch = page.slice(start, start + Math.min(BATCH, MAX_EXPORTED - count));
      const text = batch.map((entry, index) => format.entry(entry, count + index === 0)).join('');
      count += batch.length;
      start += batch.length;
      if (!(await write(text))) return GONE;
    }
    return (await mayRead()) ? undefined : CUT.access;
  }

  if (!(await write(format.head))) return void response.destroy();
  for await (const page of pages) {
    const cut = await writePage(page);
    if (cut === GONE) return void response.destroy();
    if (cut !== undefined) return void response.end(format.end({ count, cut }));
  }
  response.end(format.end({ count }));
}

const GONE = Symbol('the client is gone or does not read');
