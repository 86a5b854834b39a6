import type { Shell } from './shell.ts';
import { splitShellWords } from './shell-words.ts';

export const fish: Shell = {
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

  /** Gets the last word as typed, the others unquoted. fish quotes completions itself. */
  read: (words) => ({
    before: words.slice(0, -1),
    current: splitShellWords(words.at(-1) ?? '').last,
    line: ({ value, description }, stem) => `${stem}${value}\t${description}`,
  }),
};
