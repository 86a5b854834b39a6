import { read } from '../src/workspace.ts';

/** The blocks of a page of the guide in one language, in order. */
export const blocksOf = (page: string, language: 'sh' | 'ts'): readonly string[] =>
  Array.from(
    read(page).matchAll(/^```(?<language>\w+)\n(?<text>[\s\S]*?)^```$/gm),
    ({ groups }) => groups ?? {},
  )
    .filter((groups) => groups.language === language)
    .map(({ text = '' }) => text);
