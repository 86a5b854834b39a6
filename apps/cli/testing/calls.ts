import { splitShellWords } from '../src/completion/shell-words.ts';

/** Extracts the part of an example that is for this program, without other shell syntax. */
export function callsIn(line: string): readonly (readonly string[])[] {
  const calls = line.matchAll(/(?<=^|[ (])gatehouse ((?:[^|&<>()"']|"[^"]*"|'[^']*')*)/g);
  return [...calls].map(([, words = '']) => {
    const { before, last } = splitShellWords(words.trim());
    return [...before, last];
  });
}
