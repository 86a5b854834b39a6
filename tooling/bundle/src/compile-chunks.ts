import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/** The first line of a program: `chunks.cjs` loads its chunks, not Node. */
export const ENTRY = "require = require('./chunks.cjs').chunksOf(require, __dirname);";

/** The text before and after a chunk. Node puts the same text around a CommonJS module. */
export const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '})'] as const;

/** Copies `chunks.cjs` into the folder of a bundle. */
export function copyChunkLoader(folder: string): void {
  copyFileSync(join(import.meta.dirname, 'chunks.cjs'), join(folder, 'chunks.cjs'));
}

/**
 * Compiles all functions of these chunks for `chunks.cjs`, by the Node that will run them. V8 alone compiles a function when it is
 * first called.
 */
export function compileChunks(folder: string, names: readonly string[]): void {
  mkdirSync(join(folder, 'compiled'), { recursive: true });
  for (const name of names) {
    const source = readFileSync(join(folder, name), 'utf8');
    setFlagsFromString('--no-lazy');
    const script = new Script(source);
    // V8 refuses compiled code if other flags were set when the code was written.
    setFlagsFromString('--lazy');
    writeFileSync(join(folder, 'compiled', name), script.createCachedData());
  }
}
