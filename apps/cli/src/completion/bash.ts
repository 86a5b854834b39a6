import type { Shell } from './shell.ts';
import { quoteForBash, splitShellWords } from './shell-words.ts';

export const bash: Shell = {
  script: (path) => `# Completion of gatehouse in bash.
_gatehouse() {
  local kind line
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <('${path.replaceAll("'", "'\\''")}' __complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null </dev/null)
  if [[ $kind == files ]]; then compopt -o default 2>/dev/null; fi
}
complete -F _gatehouse gatehouse
`,

  /**
   * Gets the line as typed, and its end, which bash replaces: the part after an opening quote or a word break such as a
   * colon. A candidate is returned from there on, with the quoting of the word.
   */
  read([line = '', replaced = '']) {
    const { before, last } = splitShellWords(line);
    const kept = splitShellWords(line.slice(0, line.length - replaced.length));
    const keptOfWord = kept.before.length === before.length ? kept : { last: '', quoting: '' as const };
    return {
      before: before.slice(1),
      current: last,
      line: ({ value }, stem) =>
        quoteForBash(`${stem}${value}`.slice(keptOfWord.last.length), keptOfWord.quoting),
    };
  },
};
