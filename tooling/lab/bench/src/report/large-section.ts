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

This part compares a database with ${count(few)} stored tokens and one with ${count(tokens)}. The large database also has ${count(tokens * eventsPerToken)} audit events, and the data that four hundred days of use leave:

- **Accounts.** One account has one in a hundred of the tokens. Ten other accounts together have one in ten.${short}
- **Memory.** The database has enough memory for look-ups of tokens. Before the measurement, the tables and indexes that look-ups read were read into the system's page cache, ${figure(warmedBytes / 1e9)} GB.
- **Tokens never seen** are tokens that the server reads for the first time. They belong to the ten accounts, and their rows are spread over the tables. The ten accounts have as many users and organizations as the whole database with ${count(few)} stored tokens. So the two databases differ only in the other stored data.
- **Rate.** The large database responds more slowly, because it reads from the page cache what does not fit into its own memory of 512 MB. While a server waits, it takes more CPU for each request. (Even [bare \`node:http\`](#side-by-side) does, at 70 % of its capacity.) So the table also compares the CPU at the same rate of requests.

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

For each million of stored tokens, look-ups read ${figure(warmedBytes / 1e6 / (tokens / 1e6))} MB of tables and indexes. The machine of a database should have that much memory. The memory of a server depends on the tokens in use, and not on the stored tokens.

The next table shows how long commands take on the large database. Most of that time is the start of a process. So each command ran by turns with a short command that reads one row of the small database, \`gatehouse ${SHORT_COMMAND}\`.

The limit for a command is ${COMMAND.ratio} times the time of the short command. This is ${COMMAND.seconds} s on a machine on which the short command takes 0.38 s. Here the short command took ${withSpread(spread(commands.flatMap(({ shortSeconds }) => shortSeconds)), ' s')}.

${markdownTable(
  ['command', 's', 'the short one, s'],
  commands.map(({ command, seconds, shortSeconds }) => [
    `\`gatehouse ${command}\``,
    withSpread(spread(seconds)),
    withSpread(spread(shortSeconds)),
  ]),
)}

\`gatehouse migrate\` migrated the large database from the schema before ${migration.migrations[0]}, in ${figure(migration.seconds)} s. The next table shows how long reads and writes took while it ran. The reads were requests to a server without caches. The writes were revocations.

${markdownTable(
  ['meanwhile', 'how many', 'p50, ms', 'p99, ms', 'longest, ms', 'failed'],
  [waitsRow('reads', migration.reads), waitsRow('writes', migration.writes)],
)}

${barsTable(largeBars(large))}`;
}
