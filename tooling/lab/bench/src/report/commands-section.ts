import type { ShortCommandsResult } from '../parts/short-commands.ts';
import { ratios, spread } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { markdownTable, withSpread } from './markdown.ts';

export function commandsSection({ node, commands }: ShortCommandsResult): string {
  return `## Short commands

The table shows the CPU time of commands from their start to their end, without PostgreSQL's CPU time. For comparison, each command runs in turn with \`node -e 0\`, a program that does nothing. \`account list\` reads one account from the database of \`DATABASE_URL\`, and authenticates with a password (SCRAM).

${place()} There were ${node.length} rounds. A figure is the median over the rounds, with the range of half of the rounds in brackets. A ratio is the median of the ratios within each round.

${markdownTable(
  ['command', 'CPU, ms'],
  [
    ['`node -e 0`', withSpread(spread(node))],
    ...commands.map(({ command, cpuMs }) => [`\`gatehouse ${command}\``, withSpread(spread(cpuMs))]),
  ],
)}

${barsTable(
  commands.map(({ command, limit, cpuMs }) =>
    atMost(`CPU of \`gatehouse ${command}\`, to \`node -e 0\``, limit, 'x', spread(ratios(cpuMs, node))),
  ),
)}`;
}
