// The program `gatehouse` at the root of a checkout starts this, as does the command of the image. Plain JavaScript, because
// the Node that was installed at the set-up may have become an older one since.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** The same as in `tooling/setup`. */
const MIN_NODE = 24;

if (Number.parseInt(process.versions.node, 10) >= MIN_NODE) {
  // Scripts for shells call the command by its own path. That of the image is what was started.
  if (process.argv[1]?.endsWith('/apps/cli/bin/gatehouse.js')) {
    process.argv[1] = fileURLToPath(new URL('../../../gatehouse', import.meta.url));
  }
  // Most of a short command's time is reading and compiling the sources. The cache is beside the sources, so that only
  // users who can change the sources can change it; Node's default is a folder that all users share. It is enabled before
  // any TypeScript is read: what is cached needs no types stripped, and loading what strips them takes 50 ms.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  const { runProcess } = await import('../src/run-process.ts');
  await runProcess();
} else {
  const found = `This is Node ${process.versions.node}, and Node ${MIN_NODE} or newer is needed`;
  process.stderr.write(`${found}: run "npm run setup" once, which brings it.\n`);
  process.exitCode = 1;
}
