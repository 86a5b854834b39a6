import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { installDependencies } from './install-dependencies.mjs';
import { withLock } from './lock.mjs';
import { chooseRuntime, environmentOf, isThere } from './runtime.mjs';
import { SetUpError } from './set-up-error.mjs';
import { bringToolchain } from './toolchain.mjs';
import { ALL_PARTS, PARTS, ROOT, TOOLCHAIN } from './workspace.mjs';
import { withWritableFolders } from './writable-folders.mjs';

/**
 * The record of the last set-up, in `node_modules`, so it is removed together with it. Below the hash, each line names a
 * part that is there.
 */
const STAMP = join(ROOT, 'node_modules', '.gatehouse-set-up');
/** The command line among the tools, for jobs that were written for an older version. */
const COMMAND = join(ROOT, 'node_modules', '.bin', 'gatehouse');
/** A link to the Node that runs everything, which the program `gatehouse` starts, whatever is on the PATH. */
const NODE = join(TOOLCHAIN, 'node');
/** Lists the packages in the toolchain folder; written when all are fetched. */
const FETCHED = join(TOOLCHAIN, 'fetched');

/**
 * Makes sure that Node, pnpm and the locked dependencies are installed, and returns what to run them with. Takes a few
 * milliseconds if nothing has changed. Parts are large, and no server needs them.
 * @param {readonly import('./workspace.mjs').Part[]} [parts]
 * @returns {Promise<{ node: string, env: NodeJS.ProcessEnv }>}
 */
export async function setUp(parts = []) {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new SetUpError(`Node ${process.versions.node} is too old: Node 20 or newer is needed.`);
  }
  const runtime = chooseRuntime();
  const env = environmentOf(runtime);
  if (!isUpToDate(runtime, parts)) {
    makeToolchain();
    await withLock(join(TOOLCHAIN, 'lock'), async () => {
      if (!isUpToDate(runtime, parts)) await install(runtime, env, parts);
    });
  }
  return { node: runtime.node, env };
}

function makeToolchain() {
  try {
    mkdirSync(TOOLCHAIN, { recursive: true });
    accessSync(TOOLCHAIN, constants.W_OK);
  } catch (error) {
    throw new SetUpError(
      `The checkout has to be writable for the set-up: ${/** @type {Error} */ (error).message}`,
    );
  }
}

/**
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {readonly import('./workspace.mjs').Part[]} parts
 */
function isUpToDate(runtime, parts) {
  if (!isFetched(runtime) || !existsSync(COMMAND) || !isNodeLinked()) return false;
  const there = readStamp();
  return there.hash === stampOf(runtime) && parts.every((part) => there.parts.includes(part));
}

/**
 * A removed Node is replaced. A Node that only this user may not run is good enough for the users who set up the
 * checkout.
 */
function isNodeLinked() {
  return existsSync(NODE) || (isLink(NODE) && !isWritable(TOOLCHAIN));
}

/**
 * Whether all of the runtime's packages are there, in the locked versions, also after a set-up that was interrupted.
 * @param {import('./runtime.mjs').Runtime} runtime
 */
function isFetched(runtime) {
  const fetched = readIfThere(FETCHED)?.split('\n') ?? [];
  return isThere(runtime) && identitiesOf(runtime).every((identity) => fetched.includes(identity));
}

/**
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly import('./workspace.mjs').Part[]} parts
 */
async function install(runtime, env, parts) {
  const writable = withWritableFolders(env);
  if (writable.replaced.length > 0) {
    console.error(`${writable.replaced.join(', ')} cannot be written: using .toolchain/home/ instead ...`);
  }
  if (!isFetched(runtime)) {
    rmSync(FETCHED, { force: true });
    await bringToolchain(runtime, TOOLCHAIN, writable.env);
    writeFileSync(FETCHED, identitiesOf(runtime).join('\n'));
  }
  console.error('Installing the locked dependencies. The first time, this takes about a minute ...');
  const [hash, there] = [stampOf(runtime), readStamp()];
  // A part that is there, in these versions, stays.
  const wanted = ALL_PARTS.filter(
    (part) => parts.includes(part) || (there.hash === hash && there.parts.includes(part)),
  );
  const except = ALL_PARTS.filter((part) => !wanted.includes(part)).map((part) => PARTS[part]);
  await installDependencies(ROOT, writable.env, except);
  link(join('..', '..', 'gatehouse'), COMMAND);
  // A checkout can be moved together with its own Node.
  const isBrought = runtime.node.startsWith(TOOLCHAIN + sep);
  link(isBrought ? relative(TOOLCHAIN, runtime.node) : runtime.node, NODE);
  writeFileSync(STAMP, [hash, ...wanted].join('\n'));
}

/**
 * Replaces the link atomically, because it may be in use.
 * @param {string} target relative to the link
 * @param {string} path
 */
function link(target, path) {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  symlinkSync(target, draft);
  renameSync(draft, path);
}

/** @param {import('./runtime.mjs').Runtime} runtime */
function identitiesOf({ packages }) {
  return Object.entries(packages).map(([name, { version, integrity }]) => `${name}@${version} ${integrity}`);
}

/**
 * Hashes everything that determines what is installed.
 * @param {import('./runtime.mjs').Runtime} runtime
 */
function stampOf(runtime) {
  const hash = createHash('sha256');
  hash.update([process.platform, process.arch, ...identitiesOf(runtime)].join('\n'));
  const manifests = ['packages', 'apps', 'tooling', 'tooling/lab'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .sort()
      .map((name) => join(folder, name, 'package.json')),
  );
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', 'package.json', ...manifests]) {
    hash.update(`\n${file}\n${readIfThere(join(ROOT, file)) ?? ''}`);
  }
  return hash.digest('hex');
}

/** @returns {{ hash: string | undefined, parts: readonly string[] }} */
function readStamp() {
  const [hash, ...parts] = readIfThere(STAMP)?.split('\n') ?? [];
  return { hash, parts };
}

/** @param {string} path */
function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** @param {string} path */
function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
