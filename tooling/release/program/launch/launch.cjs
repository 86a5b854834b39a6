// Finds a Node for the programs of the package. Node 12 and newer run this file.
const { join } = require('node:path');
const { minNode, packages } = require('./nodes.json');

/** Whether this Node can run the programs. */
function isNewEnough() {
  return Number.parseInt(process.versions.node, 10) >= minNode;
}

/**
 * Runs a program by the newer Node that is installed beside this package, or prints how to install one.
 * @param {string} name the program's name for users
 * @param {readonly string[]} args its file and Node's flags
 * @param {{ channel?: boolean }} [options]
 */
function runByNewerNode(name, args, options) {
  const installed = packages[`${process.platform}-${process.arch}`];
  const node = installed && find(installed.name);
  if (node) {
    supervised(node, args, options);
    return;
  }
  const command = installed && `npm install --save-exact ${installed.name}@${installed.version}`;
  const remedy = command
    ? `To install a newer one beside it, run "${command}" in the folder where you installed gatehouse.`
    : `There is no package of it for ${process.platform} on ${process.arch}: install Node ${minNode} or newer.`;
  process.stderr.write(
    `${name}: This is Node ${process.versions.node}, and Node ${minNode} or newer is needed. ${remedy}\n`,
  );
  process.exitCode = 1;
}

/**
 * Returns the Node in a package that is installed beside this one; undefined if there is none, or one that is too old.
 * @param {string} name
 */
function find(name) {
  try {
    const manifest = require.resolve(`${name}/package.json`);
    const { version } = require(manifest);
    return Number.parseInt(version, 10) >= minNode ? join(manifest, '../bin/node') : undefined;
  } catch (_) {
    return undefined;
  }
}

/**
 * Runs a program in the foreground, with the arguments of this process. Signals are passed on, and its exit status
 * becomes ours.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {{ channel?: boolean }} [options]
 */
function supervised(node, args, options) {
  const all = [...args, ...process.argv.slice(2)];
  import('./supervise.mjs')
    .then(({ supervise }) => supervise(node, all, { cwd: process.cwd(), env: process.env, ...options }))
    .then(({ status }) => {
      process.exitCode = status;
    })
    .catch((error) => {
      process.stderr.write(`${node} could not be started: ${error.message}\n`);
      process.exitCode = 1;
    });
}

module.exports = { isNewEnough, runByNewerNode, supervised };
