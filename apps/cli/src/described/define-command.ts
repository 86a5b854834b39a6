import { type Arguments, type Options, PageRefused } from '@gatehouse/extension-kit/cli';
import type { Command } from 'commander';
import type { Cli, Gatehouse } from '../cli.ts';
import { usageError } from '../errors/command-error.ts';
import { Refused, refusal, unwrap } from '../errors/refusals.ts';
import { callerOf, requireActor } from '../input/caller.ts';
import { consentTo } from '../input/consent.ts';
import { createPrinter } from '../output/printer.ts';
import type { OutputOptions } from '../output/view.ts';
import { addArguments, addOptions, filteredColumns, inputNamesOf, inputOf } from './commander.ts';
import type { Acting, Description, StepsParts } from './description.ts';

/** The options that a description does not list, because many commands have them. */
interface CommonOptions extends OutputOptions {
  readonly as?: string;
  readonly yes?: true;
}

/** Adds a command to its resource. */
export function defineCommand<UseCases>(
  resource: Command,
  cli: Cli,
  description: Description<UseCases>,
  useCasesOf: (gatehouse: Gatehouse) => UseCases | Promise<UseCases>,
): void {
  const { verb, summary, hidden = false } = description;
  const command = resource.command(verb, { hidden }).description(summary);
  addArguments(command, description.arguments);
  if (description.noArguments !== undefined) command.allowExcessArguments();
  addOptions(command, description);
  command.action(async () => {
    try {
      await run(description, cli, command, useCasesOf);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof PageRefused)) throw error;
      throw refusal(error.error, inputNamesOf(command), description.refusals);
    }
  });
}

/** Runs a command: reads its input, refuses if it must ask but cannot, opens the database, asks, and does the work. */
async function run<UseCases>(
  description: Description<UseCases>,
  cli: Cli,
  command: Command,
  useCasesOf: (gatehouse: Gatehouse) => UseCases | Promise<UseCases>,
): Promise<void> {
  const { options, as, asks, noArguments } = description;
  if (noArguments !== undefined && command.args.length > 0) throw usageError(noArguments);
  const { as: actor, yes, ...output } = command.opts<CommonOptions>();
  const given = inputOf(description, command);
  const problem = description.check?.(given);
  if (problem !== undefined) throw usageError(problem);
  if (as?.required) requireActor(actor);
  const question = asks?.when?.(given) === false ? undefined : asks;
  const confirm = consentTo(cli, question, yes);
  const printer = createPrinter(cli, output, filteredColumns(options, given));
  const tools = { cli, command, output, printer, confirm };
  const input = { ...given, ...(await description.read?.(given, cli)) };
  if (description.kind === 'alone') return void (await description.alone(input, tools));

  await using gatehouse = await cli.open(description.needs?.(given));
  const caller = await callerOf(cli, gatehouse, as && actor);
  const useCases = await useCasesOf(gatehouse);
  const facts = description.asks?.facts?.bind(description.asks);
  if (facts) await confirm(async () => unwrap(await facts(useCases, caller, input)));
  // The function awaits the work, because the database is closed when the function returns.
  await work(description, useCases, caller, input, tools);
}

/** Does the work of a command on an open database, and prints the outcome. */
async function work<UseCases>(
  description: Exclude<Description<UseCases>, { readonly kind: 'alone' }>,
  ...[useCases, caller, input, tools]: Parameters<
    StepsParts<UseCases, Arguments, Options, Acting, object>['steps']
  >
): Promise<unknown> {
  const { printer } = tools;
  if (description.kind === 'steps') return description.steps(useCases, caller, input, tools);
  if (description.kind === 'list') {
    return printer.list(unwrap(await description.run(useCases, caller, input, tools)), description.view);
  }
  const value = unwrap(await description.run(useCases, caller, input, tools));
  if (description.kind === 'item') return printer.item(value, description.view);
  for (const line of [description.note(value, input)].flat()) await printer.note(line);
  const document = description.document(value);
  return description.bare ? printer.value(description.bare(value), document) : printer.document(document);
}
