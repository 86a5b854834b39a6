import { execFileSync } from 'node:child_process';
import { ROOT } from '@gatehouse/build-kit';

/** The state of the checkout that a release is made from. */
export interface Source {
  /** The id of the commit. */
  readonly commit: string;
  /** Files that differ from the commit, as git lists them. Empty for a release that anyone can make again. */
  readonly changes: readonly string[];
}

/**
 * Reads the state of the checkout.
 *
 * @throws Error if the folder is no git checkout
 */
export function readSource(root: string = ROOT): Source {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const changes = git('status', '--porcelain')
      .split('\n')
      .filter((line) => line !== '');
    return { commit: git('rev-parse', 'HEAD').trim(), changes };
  } catch (error) {
    throw new Error('a release is made in a git checkout, and git cannot read this one', { cause: error });
  }
}
