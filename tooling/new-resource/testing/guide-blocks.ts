import { read } from '../src/workspace.ts';

/** The commands of the guide, block by block. */
export const guideBlocks = (): readonly string[] =>
  Array.from(
    read('docs/extending.md').matchAll(/^```sh\n(?<text>[\s\S]*?)^```$/gm),
    ({ groups }) => groups?.text ?? '',
  );
