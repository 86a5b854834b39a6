import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTESTANTS } from './contestants.ts';
import { endChildren } from './machine/children.ts';
import { watchOtherPrograms } from './machine/other-programs.ts';
import { canMeasureProcesses } from './machine/process-usage.ts';
import { type Effort, type Options, type Part, parseOptions, USAGE } from './options.ts';
import { measureCold } from './parts/cold.ts';
import { compare } from './parts/comparison/comparison.ts';
import { extend } from './parts/extensions/extensions.ts';
import { measureFleet } from './parts/fleet/fleet.ts';
import { grow } from './parts/growth/growth.ts';
import { measureLarge } from './parts/large/large.ts';
import { fillMemory } from './parts/memory.ts';
import { limitNetworks } from './parts/networks.ts';
import { readPages } from './parts/pages.ts';
import { deliver } from './parts/reactions/reactions.ts';
import { revoke } from './parts/revocation/revocation.ts';
import { measureShortCommands } from './parts/short-commands.ts';
import { measureEverythingChanged } from './parts/verifier/everything/measure-everything.ts';
import { measureVerifierRevocation } from './parts/verifier/revocation/measure-revocation.ts';
import { measureStreams } from './parts/verifier/streams/measure-streams.ts';
import { measureVerifier } from './parts/verifier/verifier.ts';
import { measureManyWorkers } from './parts/workers/workers.ts';
import { type SharedDirectories, shareDirectories } from './population/shared-directories.ts';
import { barChart } from './report/chart.ts';
import { coldRows, coldSection } from './report/cold-section.ts';
import { commandsSection } from './report/commands-section.ts';
import { comparisonSection, ratiosToBare } from './report/comparison-section.ts';
import { withSection } from './report/document.ts';
import { extensionsSection } from './report/extensions-section.ts';
import { fleetRows, fleetSection } from './report/fleet-section.ts';
import { growthSection } from './report/growth-section.ts';
import { largeSection } from './report/large-section.ts';
import { provenance } from './report/machine.ts';
import { memorySection } from './report/memory-section.ts';
import { networksSection } from './report/networks-section.ts';
import { pagesSection } from './report/pages-section.ts';
import { reactionsSection } from './report/reactions-section.ts';
import { revocationSection } from './report/revocation-section.ts';
import { verifierEverythingSection } from './report/verifier-everything-section.ts';
import { verifierRevocationSection } from './report/verifier-revocation-section.ts';
import { guardRows, verifierSection } from './report/verifier-section.ts';
import { verifierStreamsSection } from './report/verifier-streams-section.ts';
import { workersSection } from './report/workers-section.ts';
import { say } from './say.ts';
import { type Stage, setStage } from './stage.ts';

/** The result of a part: a section of the document, and its charts by file name. */
interface Outcome {
  readonly section: string;
  readonly charts?: Readonly<Record<string, string>>;
}

type RunPart = (
  stage: Stage,
  effort: Effort,
  directories: SharedDirectories,
  options: Options,
) => Promise<Outcome>;

const RUN: Readonly<Record<Part, RunPart>> = {
  async comparison(stage, effort) {
    const comparison = await compare(stage, effort);
    const file = 'benchmarks-comparison.svg';
    const rows = ratiosToBare(comparison).map(({ id, ratio }) => ({
      label: CONTESTANTS[id].replaceAll('`', ''),
      value: ratio.middle,
      ours: ['warm', 'cold', 'uncached'].includes(id),
    }));
    const title = 'CPU per request: read one organization';
    const chart = await barChart({ title, axis: 'times bare node:http', from: 1, unit: 'x', rows });
    return {
      section: comparisonSection(comparison, file, provenance(stage.cores, effort)),
      charts: { [file]: chart },
    };
  },
  async cold(stage, effort, directories) {
    const cold = await measureCold(stage, effort, directories);
    const file = 'benchmarks-cold.svg';
    const title = 'CPU per request: a token never seen';
    const rows = coldRows(cold);
    return {
      section: coldSection(cold, file, provenance(stage.cores, effort)),
      charts: { [file]: await barChart({ title, axis: 'microseconds', from: 10, unit: 'µs', rows }) },
    };
  },
  growth: async (stage, effort, directories) => ({
    section: growthSection(await grow(effort, directories), provenance(stage.cores, effort)),
  }),
  workers: async (stage, effort) => {
    const others = watchOtherPrograms();
    const growth = await measureManyWorkers(stage, effort);
    return { section: workersSection(growth, others()) };
  },
  commands: async (_, effort, directories) => ({
    section: commandsSection(await measureShortCommands(effort, directories)),
  }),
  revocation: async (stage, effort) => ({ section: revocationSection(await revoke(stage, effort)) }),
  extensions: async (stage, effort) => ({
    section: extensionsSection(await extend(stage, effort)),
  }),
  networks: async (stage, effort) => ({ section: networksSection(await limitNetworks(stage, effort)) }),
  reactions: async (stage, effort) => ({ section: reactionsSection(await deliver(stage, effort)) }),
  'growth-large': async (stage, effort, directories, { keep }) => ({
    section: largeSection(
      await measureLarge(stage, effort, directories, keep),
      provenance(stage.cores, effort),
    ),
  }),
  memory: async (stage, effort) => ({ section: memorySection(await fillMemory(stage, effort)) }),
  async fleet(stage, effort) {
    const fleet = await measureFleet(stage, effort);
    const file = 'benchmarks-fleet.svg';
    const title = 'Until the slowest node hears of a revocation';
    const chart = await barChart({
      title,
      axis: 'milliseconds',
      from: 0.1,
      unit: 'ms',
      rows: fleetRows(fleet),
    });
    return { section: fleetSection(fleet, file), charts: { [file]: chart } };
  },
  'verifier-revocation': async (stage, effort) => {
    const others = watchOtherPrograms();
    const revocation = await measureVerifierRevocation(stage, effort);
    return { section: verifierRevocationSection(revocation, others()) };
  },
  'verifier-streams': async (stage, effort) => {
    const others = watchOtherPrograms();
    const cost = await measureStreams(stage, effort);
    return { section: verifierStreamsSection(cost, others()) };
  },
  'verifier-all': async (stage, effort) => {
    const others = watchOtherPrograms();
    const changed = await measureEverythingChanged(stage, effort);
    return { section: verifierEverythingSection(changed, others()) };
  },
  async 'verifier-cost'(stage, effort) {
    const others = watchOtherPrograms();
    const cost = await measureVerifier(stage, effort);
    const file = 'benchmarks-verifier.svg';
    const title = 'CPU of one request to a service that checks tokens';
    const rows = guardRows(cost);
    return {
      section: verifierSection(
        cost,
        file,
        provenance(stage.cores, { ...effort, ...effort.verifier }, others()),
      ),
      charts: { [file]: await barChart({ title, axis: 'microseconds', from: 10, unit: 'µs', rows }) },
    };
  },
  pages: async (stage, effort) => ({ section: pagesSection(await readPages(stage, effort)) }),
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
    console.error('Processes cannot be pinned to cores here: that needs two cores and taskset.');
  }
  await using directories = shareDirectories(stage);
  for (const part of options.parts) {
    say(`== ${part}`);
    const { section, charts = {} } = await RUN[part](stage, options.effort, directories, options);
    await publish(options.out, part, section, charts);
    console.log(`\n${section}\n`);
  }
}

/** Stops the programs. Code that waits for them then fails, and everything is released in order. */
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

async function publish(
  out: string,
  part: Part,
  section: string,
  charts: Required<Outcome>['charts'],
): Promise<void> {
  await mkdir(out, { recursive: true });
  for (const [file, svg] of Object.entries(charts)) await writeFile(join(out, file), `${svg}\n`);
  const path = join(out, 'benchmarks.md');
  const before = await readFile(path, 'utf8').catch(() => undefined);
  await writeFile(path, withSection(before, part, section));
}

process.exitCode = await main(process.argv.slice(2));
