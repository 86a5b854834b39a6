// The program `gatehouse` at the root of a checkout starts this file. It runs the command line from its bundle, or from the sources if
// no bundle can be made. The Node that `npm run setup` found may have been replaced by an older one.
const { join } = require('node:path');

/** The same as in `tooling/setup`. */
const MIN_NODE = 24;

if (Number.parseInt(process.versions.node, 10) >= MIN_NODE) {
  const { ROOT, bundledProgram } = require('./src/current.cjs');
  // Scripts for shells call the command by its own path.
  process.argv[1] = join(ROOT, 'gatehouse');
  const program = bundledProgram('gatehouse');
  if (program === undefined) void import(join(ROOT, 'apps/cli/bin/gatehouse.js'));
  else require(program);
} else {
  const found = `This is Node ${process.versions.node}, and Node ${MIN_NODE} or newer is needed`;
  process.stderr.write(`${found}: run "npm run setup" once, which brings it.\n`);
  process.exitCode = 1;
}
