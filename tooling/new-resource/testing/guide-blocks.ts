import { read } from '../src/workspace.ts';

/** The blocks of a page of the guide in one language, in order; in a list, without the list's indentation. */
export const blocksOf = (page: string, language: 'sh' | 'ts'): readonly string[] =>
  Array.from(
    read(page).matchAll(/^(?<indent> *)```(?<language>\w+)\n(?<text>[\s\S]*?)^\k<indent>```$/gm),
    ({ groups }) => groups ?? {},
  )
    .filter((groups) => groups.language === language)
    .map(({ text = '', indent = '' }) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
