import type { ShortCommandsResult } from '../parts/short-commands.ts';
import { ratios, spread } from '../statistics.ts';
import { atMost, barsTable } from './bars.ts';
import { place } from './machine.ts';
import { markdownTable, withSpread } from './markdown.ts';

export function commandsSection({ node, commands }: ShortCommandsResult): string {
  return `## Short commands

The CPU of a command from its start to its end, PostgreSQL's not included, in turn with \`node -e 0\`. \`account list\` reads one account, of a database named by \`DATABASE_URL\`; its password is proven by SCRAM. ${place()} ${node.length} rounds; figures are medians over the rounds, ratios medians of the ratios within each round, and half of the rounds lie in the range in brackets.

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
