import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND, environment, type ProcessEnvironment } from './process.ts';
import { aTemporaryFolder } from './temporary-folder.ts';
import { openTerminalFor, type Terminal } from './terminal.ts';

/** In each shell `gatehouse` is a function that prints its arguments, so that no command runs by accident. */
const SHELLS = {
  bash: {
    file: 'startup',
    startup: (program: string) => `
PS1='ready> '
gatehouse() { printf '<%s>' "$@"; printf '%s\\n' END; }
source <('${program}' completion bash)
`,
    args: (folder: string) => ['--noprofile', '--rcfile', join(folder, 'startup'), '-i'],
  },
  zsh: {
    file: '.zshrc',
    startup: (program: string) => `
PS1='ready> '
autoload -Uz compinit && compinit -u -d "$ZDOTDIR/dump"
gatehouse() { printf '<%s>' "$@"; printf '%s\\n' END; }
source <('${program}' completion zsh)
`,
    args: () => ['-d', '-i'],
  },
  fish: {
    file: 'startup',
    startup: (program: string) => `
set -g fish_autosuggestion_enabled 0
function fish_prompt; echo -n 'ready> '; end
function gatehouse; printf '<%s>' $argv; printf '%s\\n' END; end
'${program}' completion fish | source
`,
    args: (folder: string) => ['--no-config', '--init-command', `source ${join(folder, 'startup')}`, '-i'],
  },
} as const;

export type ShellName = keyof typeof SHELLS;

export const SHELL_NAMES = Object.keys(SHELLS) as readonly ShellName[];

export function isInstalled(shell: ShellName): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Opens an interactive shell with the completion of this program, in an empty folder. */
export async function openShell(
  shell: ShellName,
  settings: ProcessEnvironment,
): Promise<Terminal & { readonly cwd: string }> {
  const { file, startup, args } = SHELLS[shell];
  const folder = await aTemporaryFolder();
  writeFileSync(join(folder, file), startup(COMMAND));
  const env = environment({
    ...settings,
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    HOME: folder,
    ZDOTDIR: folder,
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
  });
  const terminal = openTerminalFor(shell, args(folder), env, folder);
  await terminal.shows('ready> ');
  return { ...terminal, cwd: folder };
}
