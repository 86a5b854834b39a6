import type { Shell } from './shell.ts';

export const zsh: Shell = {
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

  /** Gets the words unquoted. zsh quotes completions itself. */
  read: (words) => ({
    before: words.slice(0, -1),
    current: words.at(-1) ?? '',
    line: ({ value, description }) => `${value.replace(/[\\:]/g, '\\$&')}${description && `:${description}`}`,
  }),
};
