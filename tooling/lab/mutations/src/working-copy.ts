import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyEdit, type Edit } from './mutation.ts';
import { ROOT } from './root.ts';

const NOT_COPIED = /[/\\](node_modules|\.git|\.turbo|\.gatehouse|\.toolchain)$/;

/** A copy of the checkout in which sources can be broken. */
export interface WorkingCopy extends Disposable {
  readonly root: string;
  /** Applies the edits until the returned object is disposed of. */
  mutate(edits: readonly Edit[]): Disposable;
}

/** Copies the sources and installs the locked dependencies beside them. */
export function createWorkingCopy(): WorkingCopy {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-mutations-'));
  // A PostgreSQL of another user starts in it.
  chmodSync(root, 0o755);
  const remove = () => rmSync(root, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    cpSync(ROOT, root, { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
    execFileSync('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: root, stdio: 'pipe' });
  } catch (error) {
    remove();
    throw error;
  }
  return {
    root,
    mutate(edits) {
      const originals = new Map<string, string>();
      for (const edit of edits) {
        const path = join(root, edit.file);
        const text = readFileSync(path, 'utf8');
        if (!originals.has(path)) originals.set(path, text);
        writeFileSync(path, applyEdit(text, edit));
      }
      return {
        [Symbol.dispose]() {
          for (const [path, text] of originals) writeFileSync(path, text);
        },
      };
    },
    [Symbol.dispose]: remove,
  };
}
