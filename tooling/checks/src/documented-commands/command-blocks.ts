import { readFileSync } from 'node:fs';
import { locationOf } from '../documents.ts';

/** A fenced block of a document, to run or to install. */
export interface CommandBlock {
  /** Its name, such as `README.md: Start 1`: the document, the heading above, and the index of the block below it. */
  readonly name: string;
  /** The language: `sh`, `sql`, `ini` or another one. */
  readonly language: string;
  readonly text: string;
}

/** Returns the fenced blocks of a document, in order. */
export const commandBlocksOf = (document: string): readonly CommandBlock[] =>
  commandBlocksIn(readFileSync(locationOf(document), 'utf8'), document);

/** Returns the fenced blocks of the text of a document, in order. */
export function commandBlocksIn(markdown: string, document: string): readonly CommandBlock[] {
  const blocks: CommandBlock[] = [];
  let heading = '';
  let count = 0;
  const parts = /^#+ (?<title>.+)$|^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;
  for (const { groups } of markdown.matchAll(parts)) {
    if (groups?.title !== undefined) {
      heading = groups.title;
      count = 0;
      continue;
    }
    count += 1;
    const name = `${document}: ${heading} ${count}`;
    blocks.push({ name, language: groups?.language ?? '', text: groups?.text ?? '' });
  }
  return blocks;
}
