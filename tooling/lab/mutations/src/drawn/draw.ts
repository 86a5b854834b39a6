import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyChange, type Change, changesOf } from './changes.ts';

/** The shipped sources whose conditions are drawn. */
const SOURCES = '{packages/{domain,postgres,cache,pages},apps/server}/src/**/*.ts';

/** A change of a file, with the information to apply it and to show it. */
export interface DrawnMutation extends Change {
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The lines that differ, before and after. */
  readonly before: string;
  readonly after: string;
}

/** Every change of every condition of the shipped sources below a root, in their order. */
export function allMutations(root: string): readonly DrawnMutation[] {
  return globSync(SOURCES, { cwd: root, exclude: (path) => path.endsWith('.test.ts') })
    .sort()
    .flatMap((file) => mutationsOf(file, readFileSync(join(root, file), 'utf8')));
}

export function mutationsOf(file: string, text: string): readonly DrawnMutation[] {
  return changesOf(file, text).map((change) => {
    const from = text.lastIndexOf('\n', change.start - 1) + 1;
    const newline = text.indexOf('\n', change.end);
    const rest = newline === -1 ? 0 : text.length - newline;
    const changed = applyChange(text, change);
    return {
      ...change,
      file,
      line: text.slice(0, change.start).split('\n').length,
      before: text.slice(from, text.length - rest).trim(),
      after: changed.slice(from, changed.length - rest).trim(),
    };
  });
}

/**
 * Draws `count` mutations. A seed always draws the same ones. The rank of a mutation depends on its own lines alone, so
 * most of them stay the same after other lines have changed or files have moved.
 */
export function draw(all: readonly DrawnMutation[], count: number, seed: string): readonly DrawnMutation[] {
  const seen = new Map<string, number>();
  return all
    .map((mutation) => {
      const identity = JSON.stringify([mutation.kind, mutation.before, mutation.after]);
      const repetition = seen.get(identity) ?? 0;
      seen.set(identity, repetition + 1);
      const rank = createHash('sha256')
        .update(JSON.stringify([seed, identity, repetition]))
        .digest('hex');
      return { mutation, rank };
    })
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutation }) => mutation);
}
