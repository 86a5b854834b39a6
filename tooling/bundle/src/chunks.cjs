// Loads the chunks of a program, with the code that V8 compiled when the program was bundled (compile-chunks.ts). Node's compile
// cache would not have the functions that run after a module is loaded, which are most functions of a command. This file is copied
// into the bundle.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

/**
 * Returns a `require` for chunks, such as `./program-4f2a.js`, and for all that `builtIn` finds.
 * @param {NodeJS.Require} builtIn
 * @param {string} folder
 */
function chunksOf(builtIn, folder) {
  /** @type {Map<string, { exports: unknown }>} */
  const loaded = new Map();

  /** @param {string} id */
  function load(id) {
    const known = loaded.get(id);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(id, module);
    const filename = join(folder, id);
    const cachedData = compiled(join(folder, 'compiled', id));
    const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
    script.runInThisContext()(module.exports, requireChunk, module, filename, folder);
    return module.exports;
  }

  /** @param {string} id */
  const requireChunk = (id) => (id.startsWith('./') ? load(id) : builtIn(id));
  return requireChunk;
}

/**
 * Returns the compiled code of a chunk; undefined if the file was removed. V8 then compiles each function when it is called, as it
 * does if another version of Node compiled the code.
 * @param {string} path
 */
function compiled(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

module.exports = { chunksOf };
