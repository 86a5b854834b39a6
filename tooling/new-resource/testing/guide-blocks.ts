import { read } from '../src/workspace.ts';

/** Returns a guide page's blocks in one language, in order, without the indentation of a list. */
export const blocksOf = (page: string, language: 'sh' | 'ts'): readonly string[] =>
  Array.from(
    read(page).matchAll(/^(?<indent> *)```(?<language>\w+)\n(?<text>[\s\S]*?)^\k<indent>```$/gm),
    ({ groups }) => groups ?? {},
  )
    .filter((groups) => groups.language === language)
    .map(({ text = '', indent = '' }) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
