import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTESTANTS } from './contestants.ts';
import { endChildren } from './machine/children.ts';
import { canMeasureProcesses } from './machine/process-usage.ts';
import { type Options, type Part, parseOptions, USAGE } from './options.ts';
import { compare } from './parts/comparison.ts';
import { grow } from './parts/growth/growth.ts';
import { revoke } from './parts/revocation/revocation.ts';
import { barsTable } from './report/bars.ts';
import { ratioChart } from './report/chart.ts';
import {
  comparisonBars,
  comparisonSection,
  comparisonTable,
  ratiosToBare,
} from './report/comparison-section.ts';
import { withSection } from './report/document.ts';
import { growthBars, growthSection, growthTables } from './report/growth-section.ts';
import { revocationSection, revocationTable } from './report/revocation-section.ts';
import { say } from './say.ts';
import { type Stage, setStage } from './stage.ts';

/** The result of a part: a section of the document, its charts by file name, and the text for the terminal. */
interface Outcome {
  readonly section: string;
  readonly charts: Readonly<Record<string, string>>;
  readonly summary: string;
}

const RUN: Readonly<Record<Part, (stage: Stage, options: Options) => Promise<Outcome>>> = {
  async comparison(stage, { effort }) {
    const comparison = await compare(stage, effort);
    const file = 'benchmarks-comparison.svg';
    const rows = ratiosToBare(comparison).map(({ id, ratio }) => ({
      label: CONTESTANTS[id].replaceAll('`', ''),
      ratio,
      ours: ['warm', 'cold', 'uncached'].includes(id),
    }));
    return {
      section: comparisonSection(comparison, file),
      charts: { [file]: await ratioChart('CPU per request: read one organization', rows) },
      summary: `${comparisonTable(comparison)}\n\n${barsTable(comparisonBars(comparison))}`,
    };
  },
  async growth(stage, { effort }) {
    const growth = await grow(stage, effort);
    return {
      section: growthSection(growth),
      charts: {},
      summary: `${growthTables(growth)}\n\n${barsTable(growthBars(growth))}`,
    };
  },
  async revocation(stage, { effort }) {
    const revocation = await revoke(stage, effort);
    return { section: revocationSection(revocation), charts: {}, summary: revocationTable(revocation) };
  },
};

/** Returns the exit status: 0 if everything was measured, 1 for a fault, 2 for wrong usage. */
async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(args);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (!canMeasureProcesses()) {
    console.error('The benchmark reads what processes cost from /proc, which only Linux has.');
    return 1;
  }
  const stop = listenForStop();
  try {
    await run(options);
    return 0;
  } catch (error) {
    // After the programs were stopped, every failure is a consequence of that.
    if (!stop.requested) throw error;
    console.error('Stopped.');
    return 130;
  }
}

async function run(options: Options): Promise<void> {
  await using stage = await setStage();
  if (!stage.cores) {
    console.error('Nothing can be tied to a core of its own here: two cores and taskset are needed for it.');
  }
  for (const part of options.parts) {
    say(`== ${part}`);
    const { section, charts, summary } = await RUN[part](stage, options);
    await publish(options.out, part, section, charts);
    console.log(`\n${summary}\n`);
  }
}

/** Stops the programs; what waits for them fails then, and everything is released in order. */
function listenForStop(): { readonly requested: boolean } {
  const stop = { requested: false };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.requested = true;
      endChildren();
    });
  }
  return stop;
}

async function publish(out: string, part: Part, section: string, charts: Outcome['charts']): Promise<void> {
  await mkdir(out, { recursive: true });
  for (const [file, svg] of Object.entries(charts)) await writeFile(join(out, file), `${svg}\n`);
  const path = join(out, 'benchmarks.md');
  const before = await readFile(path, 'utf8').catch(() => undefined);
  await writeFile(path, withSection(before, part, section));
}

process.exitCode = await main(process.argv.slice(2));
