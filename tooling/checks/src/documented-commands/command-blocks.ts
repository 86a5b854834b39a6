import { readFileSync } from 'node:fs';
import { locationOf } from '../documents.ts';

/** A fenced block of a document that someone is to run or to install. */
export interface CommandBlock {
  /** `README.md: Start 1`: the document, the heading above, and the how-manieth block below it. */
  readonly name: string;
  /** `sh`, `sql`, `ini`, or whatever the document says. */
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a document, in their order. */
export function commandBlocksOf(document: string): readonly CommandBlock[] {
  const blocks: CommandBlock[] = [];
  let heading = '';
  let count = 0;
  const parts = /^#+ (?<title>.+)$|^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;
  for (const { groups } of readFileSync(locationOf(document), 'utf8').matchAll(parts)) {
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
