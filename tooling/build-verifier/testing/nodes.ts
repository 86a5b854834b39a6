import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A Node of this machine. */
export interface InstalledNode {
  readonly path: string;
  readonly major: number;
}

const OLDEST = 20;

const majorOf = (path: string) => {
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(version)?.[1]);
};

/** The oldest Node that the verifier supports, if this machine has it, and the Node of the set-up. Tells of a missing one. */
export function findNodes(): readonly InstalledNode[] {
  const machines = ['/usr/local/bin/node', '/usr/bin/node'].filter(existsSync);
  const nodes = [process.execPath, ...machines].map((path) => ({ path, major: majorOf(path) }));
  const oldest = nodes.find(({ major }) => major === OLDEST);
  const newest = nodes.toSorted((one, other) => other.major - one.major)[0];
  if (!oldest)
    process.stderr.write(`SKIPPED: the packed verifier was not run by Node ${OLDEST}: there is none here\n`);
  if (newest && newest.major <= OLDEST)
    process.stderr.write(
      `SKIPPED: the packed verifier was run by Node ${OLDEST} alone: there is no newer one\n`,
    );
  return [...new Set([oldest, newest])].filter((node) => node !== undefined);
}
