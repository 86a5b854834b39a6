import { SHORT_COMMAND } from '../parts/large/commands.ts';
import type { Large } from '../parts/large/large.ts';
import { type LookUps, UNSEEN_PER_SECOND } from '../parts/large/unseen.ts';
import type { Waits } from '../parts/large/waits.ts';
import { percentile, ratios, spread } from '../statistics.ts';
import { atMost, type Bar, barsTable } from './bars.ts';
import { figure, markdownTable, megabytes, withSpread } from './markdown.ts';
import { busyOf, middle, ratioOf } from './samples.ts';

const count = (of: number) => of.toLocaleString('en');

/** The size that the limits are for. */
const WHOLE = 10_000_000;

/**
 * The limit in seconds is for a machine on which a command that reads one row takes 0.38 s; on other machines the ratio
 * counts.
 */
const COMMAND = { seconds: 0.5, ratio: 1.3 };

function largeBars({ size, few, known, unseen, commands, pages, migration }: Large): readonly Bar[] {
  const among = `${count(size.tokens)} stored, to ${count(few)}`;
  return [
    atMost(`CPU, known, ${among}`, 1.1, 'x', ratioOf(known.many, known.few)),
    atMost(
      `CPU, a token never seen, ${count(UNSEEN_PER_SECOND)} a second, ${among}`,
      1.1,
      'x',
      ratioOf(unseen.paced.many, unseen.paced.few),
    ),
    atMost(`the same, as many as are answered`, 1.1, 'x', ratioOf(unseen.unpaced.many, unseen.unpaced.few)),
    ...commands.map(({ command, seconds, shortSeconds }) =>
      atMost(
        `\`gatehouse ${command}\`, to a short one`,
        COMMAND.ratio,
        'x',
        spread(ratios(seconds, shortSeconds)),
      ),
    ),
    ...pages.map(({ path, tokens, seconds }) =>
      atMost(`\`${path}\`, an account of ${count(tokens)}`, 0.5, 's', spread(seconds)),
    ),
    atMost('the longest read during a migration', 1, 's', longest(migration.reads)),
    atMost('the longest write during a migration', 1, 's', longest(migration.writes)),
  ];
}

const longest = ({ delaysMs }: Waits) => percentile(delaysMs, 1) / 1000;

function lookUpRows(what: string, { few, many }: LookUps): string {
  return `| CPU, ${what}, µs | ${middle(few, 'cpuMicroseconds')} | ${middle(many, 'cpuMicroseconds')} |
| p99, ${what}, ms | ${middle(few, 'p99Ms')} | ${middle(many, 'p99Ms')} |`;
}

function waitsRow(what: string, { delaysMs, failures }: Waits): readonly string[] {
  const failed = [...failures].map(([wrong, times]) => `${count(times)} (${wrong})`).join(', ');
  return [
    what,
    count(delaysMs.length),
    ...[0.5, 0.99, 1].map((share) => figure(percentile(delaysMs, share))),
    failed || '0',
  ];
}

export function largeSection(large: Large, where: string): string {
  const { size, few, storage, warmedBytes, known, unseen, idleBytes, commands, migration } = large;
  const { tokens, eventsPerToken } = size;
  const short =
    tokens < WHOLE
      ? ` **The limits are for ${count(WHOLE)} tokens: this run had ${count(tokens)}, because there was no time or disk for more.**`
      : '';
  return `## Very many stored

${count(tokens)} tokens and ${count(tokens * eventsPerToken)} audit events are stored, with the data that four hundred days of use leave:

- **Accounts.** One token in a hundred belongs to the same account, and one in ten belongs to ten other accounts.${short}
- **Memory.** Before the measurement, the tables and indexes of look-ups were read into the system's page cache. They take ${figure(warmedBytes / 1e9)} GB. So the database has enough memory for look-ups.
- **Tokens never seen** are drawn from the ten accounts. Their rows are spread over the tables. These accounts together have as many users and organizations as the whole database with ${count(few)} stored tokens. So the two databases differ only in the other stored data.
- **Rate.** The database is slower when its data exceeds its own memory of 512 MB, because it then reads from the page cache. A server that waits for the database takes more CPU for each request, as [bare \`node:http\`](#side-by-side) does at 70 %. So the table also compares the CPU at the same rate.

${where}

| | ${count(few)} stored | ${count(tokens)} stored |
| --- | ---: | ---: |
${lookUpRows('known', known)}
${lookUpRows(`never seen, ${count(UNSEEN_PER_SECOND)} a second`, unseen.paced)}
${lookUpRows('never seen, as many as are answered', unseen.unpaced)}
| requests/s then | ${middle(unseen.unpaced.few, 'requestsPerSecond')} | ${middle(unseen.unpaced.many, 'requestsPerSecond')} |
| core busy then | ${busyOf(unseen.unpaced.few)} | ${busyOf(unseen.unpaced.many)} |
| MB of a server when idle | ${megabytes(idleBytes.few)} | ${megabytes(idleBytes.many)} |

${markdownTable(
  ['on disk, for a million', 'GB', 'of it indexes, GB'],
  storage.map(({ what, count: of, bytes, indexBytes }) => [
    what,
    figure(bytes / 1e9 / (of / 1e6)),
    figure(indexBytes / 1e9 / (of / 1e6)),
  ]),
)}

Look-ups read ${figure(warmedBytes / 1e6 / (tokens / 1e6))} MB for a million tokens. A database should have that much memory for them. A server's own memory depends on the tokens in use, not on those stored.

Most of a command's time is the start of a process. So each command runs by turns with a short command that reads one row: \`gatehouse ${SHORT_COMMAND}\` where ${count(few)} are stored. The limit of ${COMMAND.seconds} s is for a machine on which the short command takes 0.38 s. This gives the limit of ${COMMAND.ratio} for the ratio. Here the short command took ${withSpread(spread(commands.flatMap(({ shortSeconds }) => shortSeconds)), ' s')}.

${markdownTable(
  ['command', 's', 'the short one, s'],
  commands.map(({ command, seconds, shortSeconds }) => [
    `\`gatehouse ${command}\``,
    withSpread(spread(seconds)),
    withSpread(spread(shortSeconds)),
  ]),
)}

The migration is \`gatehouse migrate\` from the schema before ${migration.migrations[0]}: ${figure(migration.seconds)} s. The table shows reads and writes meanwhile. The reads go to a server without caches. The writes are revocations.

${markdownTable(
  ['meanwhile', 'how many', 'p50, ms', 'p99, ms', 'longest, ms', 'failed'],
  [waitsRow('reads', migration.reads), waitsRow('writes', migration.writes)],
)}

${barsTable(largeBars(large))}`;
}
