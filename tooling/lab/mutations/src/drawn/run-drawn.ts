import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../root.ts';
import { runVitest, type VitestRun } from '../vitest.ts';
import { createWorkingCopy, type WorkingCopy } from '../working-copy.ts';
import { applyChange } from './changes.ts';
import { allMutations, type DrawnMutation, draw } from './draw.ts';
import { projectsOf, type Stage, stagesOf } from './stages.ts';

/** Draws mutations, reports for each whether a test finds it, and lists those that no test finds. */
export async function runDrawn(count: number, seed: string): Promise<void> {
  const all = allMutations(ROOT);
  const drawn = draw(all, count, seed);
  console.log(`${drawn.length} of ${all.length} mutations, drawn by ${JSON.stringify(seed)}`);
  using copy = createWorkingCopy();
  const unsound = createUnsoundFiles(copy);
  const missed: DrawnMutation[] = [];
  for (const [index, mutation] of drawn.entries()) {
    const from = performance.now();
    const finding = await findingOf(copy, mutation, unsound);
    const seconds = Math.round((performance.now() - from) / 1000);
    if (finding === undefined) missed.push(mutation);
    const verdict = finding === undefined ? 'NOT FOUND' : 'found';
    console.log(`\n${index + 1}/${drawn.length} ${verdict} in ${seconds} s: ${described(mutation)}`);
    if (finding !== undefined) console.log(`  by ${finding}`);
  }
  console.log(`\n${drawn.length - missed.length} of ${drawn.length} found`);
  if (missed.length === 0) return;
  console.log('\nNot found (if a mutation changes nothing that can be observed, the tests have no gap):');
  for (const mutation of missed) console.log(described(mutation));
}

function described({ file, line, kind, before, after }: DrawnMutation): string {
  const lines = (sign: string, text: string) => text.replaceAll(/^ */gm, `  ${sign} `);
  return `${file}:${line} (${kind})\n${lines('-', before)}\n${lines('+', after)}`;
}

/** Returns the test that fails under the mutation, or another sign of it. */
async function findingOf(
  copy: WorkingCopy,
  mutation: DrawnMutation,
  unsound: UnsoundFiles,
): Promise<string | undefined> {
  for (const stage of stagesOf(copy.root, mutation.file)) {
    const finding = await findingIn(stage, copy, mutation, unsound);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

async function findingIn(
  { name, args, timeoutMs }: Stage,
  copy: WorkingCopy,
  mutation: DrawnMutation,
  unsound: UnsoundFiles,
): Promise<string | undefined> {
  for (;;) {
    const { ended, files } = await runMutated(copy, mutation, [...args, ...unsound.exclusions()], timeoutMs);
    if (ended === 'passed') return undefined;
    const failed = files.flatMap(({ name: path, status, assertionResults }) => {
      const title = assertionResults.find((test) => test.status === 'failed')?.title;
      return status === 'failed' ? [{ file: relative(copy.root, path), title }] : [];
    });
    if (failed.length === 0) {
      const unmutated = await runVitest(copy.root, [...args, ...unsound.exclusions()], timeoutMs);
      const what = ended === 'timed out' ? 'a time-out' : 'an error outside';
      if (unmutated.ended !== ended) return `${what} of the tests ${name}`;
      console.log(`\nThe tests ${name} also end by ${what} without a mutation: ${mutation.file}`);
      return undefined;
    }
    // Files that were running when the first test failed are also reported as failed.
    const named = failed.filter(({ title }) => title !== undefined);
    for (const { file, title } of named.length > 0 ? named : failed) {
      if (!(await unsound.has(file))) return `${file}: ${title ?? 'it cannot be run'}`;
    }
    // The first failure ended the run: once more, without the files that have been found unsound.
  }
}

async function runMutated(
  copy: WorkingCopy,
  mutation: DrawnMutation,
  args: readonly string[],
  timeoutMs: number,
): Promise<VitestRun> {
  const text = readFileSync(join(copy.root, mutation.file), 'utf8');
  const edit = { file: mutation.file, find: text, replace: applyChange(text, mutation) };
  using _mutated = copy.mutate([edit]);
  return await runVitest(copy.root, [...args, '--bail', '1'], timeoutMs);
}

type UnsoundFiles = ReturnType<typeof createUnsoundFiles>;

/** Test files that fail without a mutation, as on a busy machine: their failures prove nothing. */
function createUnsoundFiles(copy: WorkingCopy) {
  const sound = new Map<string, boolean>();
  return {
    async has(file: string): Promise<boolean> {
      const known = sound.get(file);
      if (known !== undefined) return !known;
      const { ended } = await runVitest(copy.root, ['run', file, ...projectsOf(file)], UNMUTATED_TIMEOUT_MS);
      sound.set(file, ended === 'passed');
      if (ended !== 'passed') console.log(`\n${file} fails without a mutation, and is left out`);
      return ended !== 'passed';
    },
    /** The arguments that leave them out. */
    exclusions: () =>
      [...sound].flatMap(([file, isSound]) => (isSound ? [] : ['--exclude', patternOf(file)])),
  };
}

/** A file of a package, as that package's project of Vitest sees it. */
function patternOf(file: string): string {
  return `**/${file.split('/').slice(2).join('/')}`;
}

const UNMUTATED_TIMEOUT_MS = 600_000;
