import { PARTS, type Part } from '../options.ts';
import { sixteenCoresSection } from './sixteen-cores-section.ts';

const HEAD = `# Benchmarks

This page shows what requests, pages and commands of Gatehouse cost, compared with alternatives. \`npm run bench\` measures this and generates the
page. It starts all servers and databases that it measures by itself:

\`\`\`sh
npm run bench                                       # side by side with the alternatives (5 minutes)
npm run bench -- --cold                             # tokens that are new, with more stored (5 minutes)
npm run bench -- --growth                           # with more data, tokens, sign-ins and processes (14 minutes)
npm run bench -- --workers                          # several worker processes (3 minutes)
npm run bench -- --commands                         # short commands, beside Node alone (1 minute)
npm run bench -- --revocation                       # how long a revoked token is still accepted (1 minute)
npm run bench -- --pages                            # what pages read of the database (3 minutes)
npm run bench -- --extensions                       # the cost of extensions that are not used (9 minutes)
npm run bench -- --networks                         # the cost of networks of tokens (9 minutes)
npm run bench -- --reactions                        # look-ups while audit events are delivered (6 minutes)
npm run bench -- --fleet                            # up to a hundred nodes on one database (4 minutes)
npm run bench -- --growth-large                     # ten million tokens stored (1 to 2 hours, 60 GB of disk)
npm run bench -- --memory                           # a million tokens in use on one server (10 minutes)
npm run bench -- --verifier                         # services that verify tokens (12 minutes)
npm run bench -- --comparison --cold --growth --workers --commands --revocation --pages --extensions --networks --reactions --fleet --verifier # all of it
\`\`\`

Each option above measures one part of this page. A run replaces the parts that it measured and keeps the others.

- To try the benchmark, add \`--quick\`. Each part then takes about a minute, and its figures are not reliable.
- To keep this page as it is, add \`--out /tmp/bench\`. The results are then written to that folder.
- Close other programs before you measure.
- Compare only ratios within one run. Absolute figures depend on the machine and the day.

In the tables of limits, *held* means that the figure is within its limit, and *missed* that it is not.
`;

/** A section that no run measures, because it has the figures of another machine, and the part that it follows. */
const FIXED = { name: 'sixteen-cores', follows: 'workers', section: sixteenCoresSection() } as const;

/** Replaces a part where the document has it. */
export function withSection(document: string | undefined, part: Part, section: string): string {
  const marked = PARTS.flatMap((name) => [
    markedSection(name, name === part ? section : sectionOf(document ?? '', name)),
    name === FIXED.follows ? markedSection(FIXED.name, FIXED.section) : '',
  ]);
  return [HEAD, ...marked.filter((text) => text !== '')].join('\n');
}

function sectionOf(document: string, part: Part): string {
  const [, rest = ''] = document.split(marker(part));
  return rest.split('<!-- part:')[0]?.trim() ?? '';
}

function markedSection(name: string, section: string): string {
  return section === '' ? '' : `${marker(name)}\n\n${section}\n`;
}

function marker(name: string): string {
  return `<!-- part: ${name} -->`;
}
