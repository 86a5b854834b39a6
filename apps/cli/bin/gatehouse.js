#!/usr/bin/env -S node --max-semi-space-size=1 --heap-growing-percent=50
// Plain JavaScript, because it starts under whatever Node the machine has: under one that is too old it starts
// itself again with the one that the set-up brought, and with the same flags.
//
// The flags make V8 collect garbage sooner: by default the heap grows to several times what is in use, but a list of
// many records needs each of them only briefly, and shares the machine with servers. They stand in the first line
// because setting them while the process runs can crash it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The same as in `tooling/setup`. */
const MIN_NODE = 24;
const BROUGHT_NODE = fileURLToPath(new URL('../../../.toolchain/node', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= MIN_NODE) {
  // Most of a short command's time is reading and compiling the sources. The cache is beside the sources, so that only
  // users who can change the sources can change it; Node's default is a folder that all users share. It is enabled before
  // any TypeScript is read: what is cached needs no types stripped, and loading what strips them takes 50 ms.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  const { runProcess } = await import('../src/run-process.ts');
  await runProcess();
} else if (existsSync(BROUGHT_NODE)) {
  const self = fileURLToPath(import.meta.url);
  const child = spawn(BROUGHT_NODE, [...process.execArgv, self, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A terminal sends the interrupt to the child, too.
  process.on('SIGINT', () => process.stdin.isTTY || process.stderr.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (status, signal) => {
    process.exitCode = status ?? 128 + constants.signals[signal];
  });
} else {
  const found = `This is Node ${process.versions.node}, and Node ${MIN_NODE} or newer is needed`;
  process.stderr.write(`${found}: run "npm start" or "npm run setup" once, which brings it.\n`);
  process.exitCode = 1;
}
