import {
  type ChangeCommand,
  type CommandCaller,
  type DescribedCommand,
  type ItemCommand,
  type ListCommand,
  PageRefused,
} from '@gatehouse/extension-kit/cli';
import type { Command } from 'commander';
import type { Cli, Gatehouse } from '../cli.ts';
import { Interrupted, usageError } from '../errors/command-error.ts';
import { type InputNames, refusalWith, unwrapWith } from '../errors/refusals.ts';
import { reader, requireActor } from '../input/caller.ts';
import { consentTo } from '../input/consent.ts';
import {
  type ActingOptions,
  asOption,
  type ChangeOptions,
  changeOptions,
  filteredColumns,
  listOptions,
  outputOptions,
} from '../input/options.ts';
import { createPrinter } from '../output/printer.ts';
import { addValues, filtersOf, inputNamesOf, inputOf } from './values.ts';

type GivenOptions = ActingOptions & ChangeOptions;

/** What a described command runs with. */
interface Run<UseCases> {
  readonly cli: Cli;
  readonly input: ReturnType<typeof inputOf>;
  readonly options: GivenOptions;
  readonly names: InputNames;
  /** Opens the database, and finds who acts. */
  open(): Promise<AsyncDisposable & { readonly useCases: UseCases; readonly caller: CommandCaller }>;
}

/** Adds a described command to its resource. */
export function defineCommand<UseCases>(
  resource: Command,
  cli: Cli,
  description: DescribedCommand<UseCases>,
  useCasesOf: (gatehouse: Gatehouse) => UseCases | Promise<UseCases>,
): void {
  const { verb, summary, as } = description;
  const command = resource.command(verb).description(summary);
  if (as) command.addOption(asOption(as.description));
  addValues(command, description, { withOptions: description.kind !== 'list' });
  addOptions(command, description);
  command.action(async () => {
    const input = inputOf(description, command);
    const options = command.opts<GivenOptions>();
    const problem = description.check?.(input);
    if (problem !== undefined) throw usageError(problem);
    if (as?.required) requireActor(options.as);
    const open = async () => {
      await using opened = new AsyncDisposableStack();
      const gatehouse = opened.use(await cli.open());
      const caller = await reader(cli, gatehouse, as && options.as);
      const useCases = await useCasesOf(gatehouse);
      return Object.assign(opened.move(), { caller, useCases });
    };
    await run(description, { cli, input, options, names: inputNamesOf(command), open });
  });
}

function addOptions<UseCases>(command: Command, description: DescribedCommand<UseCases>): void {
  const { notes = [], examples } = description;
  const help = { notes, examples };
  switch (description.kind) {
    case 'change':
      changeOptions(command, { ...help, ...(description.asks && { asks: true }) });
      break;
    case 'list':
      listOptions(command, description.view, { ...help, filters: filtersOf(description) });
      break;
    case 'item':
      outputOptions(command, help);
  }
}

function run<UseCases>(description: DescribedCommand<UseCases>, given: Run<UseCases>): Promise<void> {
  switch (description.kind) {
    case 'change':
      return change(description, given);
    case 'list':
      return list(description, given);
    case 'item':
      return show(description, given);
  }
}

async function change<UseCases>(
  description: ChangeCommand<UseCases>,
  { cli, input, options, names, open }: Run<UseCases>,
): Promise<void> {
  const { asks, refusals = {} } = description;
  const confirm = asks && consentTo(cli, asks, options.yes);
  const printer = createPrinter(cli.streams, options);
  await using opened = await open();
  const { useCases, caller } = opened;
  if (asks) {
    await confirm?.(async () => unwrapWith(refusals, await asks.facts(useCases, caller, input), names));
  }
  const value = unwrapWith(refusals, await description.run(useCases, caller, input), names);
  await printer.note(description.note(value, input));
  const document = description.document(value);
  await (description.bare ? printer.value(description.bare(value), document) : printer.document(document));
}

async function list<UseCases>(
  description: ListCommand<UseCases>,
  { cli, input, options, names, open }: Run<UseCases>,
): Promise<void> {
  const { view, refusals = {} } = description;
  await using opened = await open();
  const pages = unwrapWith(refusals, await description.run(opened.useCases, opened.caller, input), names);
  async function* untilInterrupted() {
    try {
      for await (const page of pages) {
        if (cli.signal.aborted) throw new Interrupted();
        yield page;
      }
    } catch (error) {
      throw error instanceof PageRefused ? refusalWith(refusals, error.error, names) : error;
    }
  }
  const filtered = filteredColumns(filtersOf(description), options);
  await createPrinter(cli.streams, options).list(untilInterrupted(), view, filtered);
}

async function show<UseCases>(
  { run, view, refusals = {} }: ItemCommand<UseCases>,
  { cli, input, options, names, open }: Run<UseCases>,
): Promise<void> {
  await using opened = await open();
  const item = unwrapWith(refusals, await run(opened.useCases, opened.caller, input), names);
  await createPrinter(cli.streams, options).item(item, view);
}
