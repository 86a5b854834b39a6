import { execFile, execFileSync, type StdioOptions } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const NOT_COPIED = /[/\\](node_modules|\.git|\.turbo|\.gatehouse|\.toolchain|dist|coverage)$/;

/** Where packages come from, and where they are kept. */
const OF_INSTALLATION =
  /^(?:HOME|XDG_.*|p?npm_config_(?:registry|cafile|.*proxy)|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i;

/** The environment of commands in a clone: none of our settings, and the packages that the set-up has brought. */
export const env: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_INSTALLATION.test(name))),
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  TMPDIR: tmpdir(),
  pnpm_config_prefer_offline: 'true',
};

/** Copies the sources of a folder, and nothing that was installed or built there. */
export function copySources(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
}

/** Copies the example of an extension as *tool loans*, as `npm run new` does. */
export function copyExample(from: string, to: string): void {
  copySources(from, to);
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(path, renamed(readFileSync(path, 'utf8')));
    renameSync(path, join(entry.parentPath, renamed(entry.name)));
  }
}

function renamed(text: string): string {
  return text
    .replaceAll('shift-note', 'tool-loan')
    .replaceAll('shift_note', 'tool_loan')
    .replaceAll('shiftNote', 'toolLoan')
    .replaceAll('ShiftNote', 'ToolLoan')
    .replaceAll('SHIFT_NOTE', 'TOOL_LOAN')
    .replaceAll(/([Ss])hift note/g, 'tool loan');
}

/** Runs a script in a folder, and returns its standard output. Throws with all of the output if it fails. */
export function run(cwd: string, script: string, settings: Readonly<Record<string, string>> = {}): string {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    return execFileSync('bash', ['-c', `set -e\n${script}`], { ...optionsOf(cwd, settings), stdio });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${script}\n${stdout}${stderr}`);
  }
}

/** The same, while this process goes on. */
export async function runAside(
  cwd: string,
  script: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const running = promisify(execFile)('bash', ['-c', `set -e\n${script}`], optionsOf(cwd, settings));
    running.child.stdin?.end();
    return (await running).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${script}\n${stdout}${stderr}`);
  }
}

const optionsOf = (cwd: string, settings: Readonly<Record<string, string>>) =>
  ({ cwd, env: { ...env, ...settings }, encoding: 'utf8' }) as const;
