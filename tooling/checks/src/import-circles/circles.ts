import type { ImportGraph } from './import-graph.ts';

/** One import of a file by another. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the circles of a graph, largest first: the greatest sets of files that all import each other, directly or
 * through others (strongly connected components, by Tarjan's algorithm).
 */
export function circlesIn(graph: ImportGraph): readonly (readonly string[])[] {
  const circles: string[][] = [];
  const numbers = new Map<string, number>();
  const path: string[] = [];

  /** Returns the lowest number of the files on the path that this file leads back to. */
  function visit(file: string): number {
    const own = numbers.size;
    let lowest = own;
    numbers.set(file, own);
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const number = numbers.get(next);
      if (number === undefined) lowest = Math.min(lowest, visit(next));
      else if (path.includes(next)) lowest = Math.min(lowest, number);
    }
    if (lowest === own) circles.push(path.splice(path.indexOf(file)));
    return lowest;
  }

  for (const file of graph.keys()) if (!numbers.has(file)) visit(file);
  return circles.filter(({ length }) => length > 1).toSorted((one, other) => other.length - one.length);
}

/**
 * Returns imports without which the circle has at most `limit` files: each time the import whose removal shrinks it
 * most.
 */
export function closing(graph: ImportGraph, circle: readonly string[], limit: number): readonly Import[] {
  const removed: Import[] = [];
  let rest = within(graph, circle);
  while (largest(rest) > limit) {
    const [best] = importsIn(rest)
      .map((each) => ({ each, without: without(rest, each) }))
      .map((option) => ({ ...option, left: pairsIn(option.without) }))
      .toSorted((one, other) => one.left - other.left);
    if (!best) break;
    removed.push(best.each);
    rest = best.without;
  }
  return removed;
}

/** The imports among these files. */
function within(graph: ImportGraph, files: readonly string[]): ImportGraph {
  const inside = new Set(files);
  return new Map(files.map((file) => [file, (graph.get(file) ?? []).filter((to) => inside.has(to))]));
}

function without(graph: ImportGraph, { from, to }: Import): ImportGraph {
  return new Map([...graph, [from, (graph.get(from) ?? []).filter((file) => file !== to)]]);
}

export function importsIn(graph: ImportGraph): readonly Import[] {
  return [...graph].flatMap(([from, files]) => files.map((to) => ({ from, to })));
}

function largest(graph: ImportGraph): number {
  return circlesIn(graph)[0]?.length ?? 0;
}

/** How many pairs of files import each other. */
function pairsIn(graph: ImportGraph): number {
  return circlesIn(graph).reduce((sum, { length }) => sum + length ** 2, 0);
}
