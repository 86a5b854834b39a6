import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plan } from './plan.ts';
import { folderOf, ROOT } from './workspace.ts';

/** Writes the planned files, and updates everything that depends on them. */
export function make({ names, made, changed }: Plan): void {
  for (const [path, text] of made) {
    mkdirSync(join(ROOT, dirname(path)), { recursive: true });
    writeFileSync(join(ROOT, path), text, { flag: 'wx' });
  }
  for (const [path, text] of changed) writeFileSync(join(ROOT, path), text);
  run('pnpm', 'install', '--lockfile-only', '--offline');
  // Every other npm command of this repository also does this, so none of them finds the installation out of date.
  run(process.execPath, 'tooling/setup/setup.mjs');
  // Another name sorts and wraps differently.
  run('biome', 'check', '--write', folderOf(names.several), ...changed.keys());
  run(process.execPath, 'tooling/checks/src/write-docs.ts');
}

function run(command: string, ...args: readonly string[]): void {
  try {
    execFileSync(command, args, { cwd: ROOT, stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
    throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout ?? ''}${stderr ?? ''}`, {
      cause: error,
    });
  }
}
