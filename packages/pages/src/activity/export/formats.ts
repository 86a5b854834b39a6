import { escapeInvisible } from '@gatehouse/domain';
import type { ToldEntry } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { csvLine } from './csv.ts';

/** How an export ended. */
export interface ExportEnd {
  /** The number of exported events. */
  readonly count: number;
  /** Why events are missing at the end of the export; undefined if it has all events. */
  readonly cut?: string | undefined;
}

/** A format of an export: the texts that are sent before, for and after the events. */
export interface ExportFormat {
  readonly contentType: string;
  readonly head: string;
  entry(entry: ToldEntry, isFirst: boolean): string;
  /** Says whether the export has all events. A file without this end was cut off on its way. */
  end(end: ExportEnd): string;
}

/** New columns are added at the end, so that programs that count columns still read a file. */
const COLUMNS = [
  'id',
  'time',
  'actor',
  'email',
  'action',
  'type',
  'subject',
  'address',
  'details',
  'name',
  'reason',
] as const;

/** A text of the details, in a column of its own; empty if the event has none. */
const textIn = (details: ToldEntry['event']['details'], field: 'name' | 'reason') => {
  const value = details[field];
  return typeof value === 'string' ? value : '';
};

const CSV: ExportFormat = {
  contentType: 'text/csv; charset=utf-8; header=present',
  head: csvLine(COLUMNS),
  entry: ({ id, actorEmail, event: { at, actor, origin, action, subject, details } }) =>
    csvLine([
      id,
      formatInstant(at),
      actor.kind,
      actorEmail ?? '',
      action,
      subject.type,
      subject.id,
      origin ?? '',
      JSON.stringify(details),
      textIn(details, 'name'),
      textIn(details, 'reason'),
    ]),
  end({ count, cut }) {
    const said = [cut === undefined ? 'complete' : 'cut', `${count} events`, cut ?? ''];
    return csvLine([...said, ...COLUMNS.slice(said.length).map(() => '')]);
  },
};

const JSON_FORMAT: ExportFormat = {
  contentType: 'application/json',
  head: '{"events":[',
  entry: (entry, isFirst) => `${isFirst ? '\n' : ',\n'}${escapeInvisible(JSON.stringify(documentOf(entry)))}`,
  end: ({ count, cut }) =>
    `\n],"count":${count},"complete":${cut === undefined}${cut === undefined ? '' : `,"cut":${JSON.stringify(cut)}`}}\n`,
};

function documentOf({ id, actorEmail, event }: ToldEntry): object {
  const { at, actor, origin, action, subject, details } = event;
  const email = actorEmail === null ? {} : { email: actorEmail };
  return { id, at: formatInstant(at), actor: { ...actor, ...email }, origin, action, subject, details };
}

/** The formats by their names in the address of an export. */
export const FORMATS = { csv: CSV, json: JSON_FORMAT } as const;

export type FormatName = keyof typeof FORMATS;

export const parseFormat = (text: string | null): FormatName | undefined =>
  text !== null && Object.hasOwn(FORMATS, text) ? (text as FormatName) : undefined;
