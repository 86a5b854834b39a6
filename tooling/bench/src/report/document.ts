import { PARTS, type Part } from '../options.ts';

const HEAD = `# Benchmarks

This page is written by \`npm run bench\`, which starts everything that it measures by itself:

\`\`\`sh
npm run bench                                       # side by side with what people would use instead
npm run bench -- --growth                           # as more is stored, in use, and going on
npm run bench -- --revocation                       # how long a revoked token is still accepted
npm run bench -- --comparison --growth --revocation # all of it
\`\`\`

Each run replaces its own part and leaves the others. Ratios within one run say something; absolute figures belong to one machine and one day. Close other programs first.
`;

/** Puts a part in the place of its former self, wherever the document has it. */
export function withSection(document: string | undefined, part: Part, section: string): string {
  const sections = PARTS.map((name) => (name === part ? section : sectionOf(document ?? '', name)));
  const marked = sections.flatMap((text, index) =>
    text === '' ? [] : [`${marker(PARTS[index] as Part)}\n\n${text}\n`],
  );
  return [HEAD, ...marked].join('\n');
}

function sectionOf(document: string, part: Part): string {
  const [, rest = ''] = document.split(marker(part));
  return rest.split('<!-- part:')[0]?.trim() ?? '';
}

function marker(part: Part): string {
  return `<!-- part: ${part} -->`;
}
