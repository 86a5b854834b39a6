import type { Candidate } from './completion-context.ts';
import { quoteForBash, splitShellWords } from './shell-words.ts';

/** A completion request of a shell's script. */
interface Request {
  /** The words before the current one, without the program's name. */
  readonly before: readonly string[];
  readonly current: string;
  /**
   * Formats a candidate as a line for the shell. `stem` is the text before the candidate in the word, such as
   * `--format=`.
   */
  line(candidate: Candidate, stem: string): string;
}

interface Shell {
  /** The script that the user's shell sources; it calls the program at this path. */
  script(path: string): string;
  /** Parses the arguments that the script passes. */
  read(words: readonly string[]): Request;
}

const bash: Shell = {
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
   * bash passes the line as it was typed, and the last part of this line, which bash will replace: the text after an
   * opening quotation mark or a word break such as a colon. Each candidate is printed as the text that replaces this
   * part, escaped as the quotation marks of the word require.
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

const zsh: Shell = {
  script: (path) => `#compdef gatehouse
# Completion of gatehouse in zsh.
_gatehouse() {
  local -a answer
  answer=("\${(@f)$('${path.replaceAll("'", "'\\''")}' __complete zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  case \${answer[1]} in
    files) _files ;;
    words)
      shift answer
      if [[ $PREFIX == --*=* ]]; then compset -P '*='; fi
      _describe gatehouse answer
      ;;
  esac
}
if [[ \${funcstack[1]} == _gatehouse ]]; then
  _gatehouse "$@"
else
  compdef _gatehouse gatehouse
fi
`,

  /** zsh passes all words without quotes. zsh quotes a completion itself when it inserts the completion. */
  read: (words) => ({
    before: words.slice(0, -1),
    current: words.at(-1) ?? '',
    line: ({ value, description }) => `${value.replace(/[\\:]/g, '\\$&')}${description && `:${description}`}`,
  }),
};

const fish: Shell = {
  script: (path) => `# Completion of gatehouse in fish.
function __gatehouse_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ('${path.replace(/[\\']/g, '\\$&')}' __complete fish -- $before[2..] "$current" 2>/dev/null </dev/null)
    if test "$answer[1]" = files
        __fish_complete_path "$current"
    else
        printf '%s\\n' $answer[2..]
    end
end
complete -c gatehouse -f -a '(__gatehouse_complete)'
`,

  /**
   * fish passes the last word as it was typed, and the other words without quotes. fish quotes a completion itself when
   * it inserts the completion.
   */
  read: (words) => ({
    before: words.slice(0, -1),
    current: splitShellWords(words.at(-1) ?? '').last,
    line: ({ value, description }, stem) => `${stem}${value}\t${description}`,
  }),
};

/**
 * The scripts of all shells. They are written for Gatehouse, because the scripts of libraries let the shell evaluate
 * completions, or insert them unquoted. A token's name is a completion, and any admin can choose it.
 */
export const SHELLS = { bash, zsh, fish } as const satisfies Record<string, Shell>;

export type ShellName = keyof typeof SHELLS;

export const SHELL_NAMES = Object.keys(SHELLS) as readonly ShellName[];
