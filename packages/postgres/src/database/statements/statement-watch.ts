/**
 * Called with the text of each statement when it is sent. Returns a function that is called when the statement ends, with
 * the fault if it failed. Returns undefined if the statement is not watched.
 */
export type StatementWatch = (sql: string) => ((fault?: unknown) => void) | undefined;

/** A summary of a statement: its operation and its tables, without values, literals and comments. */
export interface StatementSummary {
  /** Such as `SELECT`. */
  readonly operation: string;
  /** The operation and the first tables that the statement names, such as `SELECT tokens users`. */
  readonly summary: string;
}

/**
 * The largest number of remembered summaries. Gatehouse has far fewer statements. With a limit, SQL that is made at run
 * time cannot fill memory.
 */
const LIMIT = 500;

const summaries = new Map<string, StatementSummary>();

/** Summarizes a statement by its key words and tables; literals and comments are left out. */
export function summaryOf(sql: string): StatementSummary {
  const known = summaries.get(sql);
  if (known !== undefined) return known;
  const summary = summarize(sql);
  if (summaries.size < LIMIT) summaries.set(sql, summary);
  return summary;
}

const LITERALS_AND_COMMENTS = /'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$|\/\*.*?\*\/|--[^\n]*/gs;
const NAME = String.raw`("?[a-z_]\w*"?(?:\."?[a-z_]\w*"?)?)`;
const CHANGE = new RegExp(
  String.raw`\b(insert|delete|update)\s+(?:into\s+|from\s+)?(?:only\s+)?${NAME}`,
  'i',
);
/** Finds the names of tables. A name before a parenthesis is a function and is left out. */
const TABLES = new RegExp(
  String.raw`\b(?:from|join)\s+(?:only\s+)?(?!lateral\b)${NAME}(?![\w.]|\s*\()`,
  'gi',
);
/** The largest number of tables in a summary, which is the name of a span. */
const MAX_TABLES = 3;
/** The longest name of a table: two names of at most 63 bytes, and a dot. */
const LONGEST_NAME = 127;

function summarize(sql: string): StatementSummary {
  const words = sql.replaceAll(LITERALS_AND_COMMENTS, ' ').trimStart();
  const first = /^[a-z]+/i.exec(words)?.[0].toUpperCase() ?? 'OTHER';
  // In a SELECT, the word UPDATE is a part of FOR UPDATE, and no change. A WITH may contain changes.
  const change = first === 'SELECT' ? null : CHANGE.exec(words);
  const operation = first === 'WITH' ? (change?.[1]?.toUpperCase() ?? 'SELECT') : first;
  const named = [change?.[2], ...[...words.matchAll(TABLES)].map(([, table]) => table)];
  const tables = new Set(named.flatMap((table) => table?.replaceAll('"', '').slice(0, LONGEST_NAME) ?? []));
  return { operation, summary: [operation, ...[...tables].slice(0, MAX_TABLES)].join(' ') };
}
