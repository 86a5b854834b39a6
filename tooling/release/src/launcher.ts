import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '@gatehouse/build-kit';
import { MIN_NODE } from '@gatehouse/setup/runtime';
import { readNodePackages } from './node-packages.ts';

/** Plain JavaScript that finds a Node, and the README of the package. */
const LAUNCHER = join(import.meta.dirname, '../program');

/** The set-up starts servers by these modules, too. */
const SUPERVISION = ['supervise.mjs', 'npm-ends.mjs'].map((name) => join(ROOT, 'tooling/setup/src', name));

/** Writes the files of the package `gatehouse` that start its programs, into the folder of the package. */
export function writeLauncher(folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(LAUNCHER, folder, { recursive: true });
  for (const file of SUPERVISION) cpSync(file, join(folder, 'launch', basename(file)));
  cpSync(join(ROOT, 'apps/server/bin/node-flags.json'), join(folder, 'launch/node-flags.json'));
  const nodes = { minNode: MIN_NODE, packages: readNodePackages() };
  writeFileSync(join(folder, 'launch/nodes.json'), `${JSON.stringify(nodes, undefined, 2)}\n`);
}
