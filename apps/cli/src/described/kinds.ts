import type { Pages } from '@gatehouse/domain';
import type {
  Arguments,
  ChangeReport,
  DescribedCommand,
  InputOf,
  None,
  Options,
  Outcome,
  View,
} from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../cli.ts';
import { unwrap } from '../errors/refusals.ts';
import type { Acting, AloneParts, Description, OwnCommand, Parts, Step, StepsParts } from './description.ts';

interface ChangeParts<UseCases, A, O, As, Read, Value>
  extends Parts<UseCases, A, O, As, Read>,
    ChangeReport<Value, InputOf<A, O>> {
  readonly run: Step<UseCases, As, InputOf<A, O> & Read, Outcome<Value>>;
}

interface ListParts<UseCases, A, O, As, Read, Item> extends Parts<UseCases, A, O, As, Read> {
  readonly view: View<Item>;
  readonly run: Step<UseCases, As, InputOf<A, O> & Read, Outcome<Pages<Item> | readonly (readonly Item[])[]>>;
}

/**
 * Describes a command that changes something. The types of `input` follow from the arguments and options. Write `read` and
 * `run` before the members that take their values.
 */
export function defineChange<
  Value,
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: ChangeParts<Gatehouse, A, O, As, Read, Value>): OwnCommand {
  return erased(changeOf(parts));
}

/** Describes a command that lists items page by page. */
export function defineList<
  Item,
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: ListParts<Gatehouse, A, O, As, Read, Item>): OwnCommand {
  return erased(listOf(parts));
}

/** Describes a command whose steps are a function. */
export function defineSteps<
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: StepsParts<Gatehouse, A, O, As, Read>): OwnCommand {
  return erased(parts);
}

/** Describes a command that needs no database, or opens it itself. */
export function defineAlone<const A extends Arguments = None, const O extends Options = None, Read = unknown>(
  parts: AloneParts<A, O, Read>,
): OwnCommand {
  return erased(parts);
}

/** Describes a command of an extension. */
export function describeExtension<UseCases>(command: DescribedCommand<UseCases>): Description<UseCases> {
  if (command.kind === 'change') {
    return changeOf<UseCases, Arguments, Options, Acting, object, unknown>(command);
  }
  if (command.kind === 'list') return listOf<UseCases, Arguments, Options, Acting, object, unknown>(command);
  const { view } = command;
  return {
    ...command,
    prints: 'item',
    steps: async (useCases, caller, input, { printer }) =>
      printer.item(unwrap(await command.run(useCases, caller, input)), view),
  };
}

function changeOf<UseCases, A, O, As, Read, Value>(parts: ChangeParts<UseCases, A, O, As, Read, Value>) {
  const steps: Step<UseCases, As, InputOf<A, O> & Read, void> = async (useCases, caller, input, tools) => {
    const { printer } = tools;
    const value = unwrap(await parts.run(useCases, caller, input, tools));
    for (const line of [parts.note(value, input)].flat()) await printer.note(line);
    const document = parts.document(value);
    await (parts.bare ? printer.value(parts.bare(value), document) : printer.document(document));
  };
  return { ...parts, prints: 'change' as const, steps };
}

function listOf<UseCases, A, O, As, Read, Item>(parts: ListParts<UseCases, A, O, As, Read, Item>) {
  const { view } = parts;
  const steps: Step<UseCases, As, InputOf<A, O> & Read, void> = async (useCases, caller, input, tools) =>
    tools.printer.list(unwrap(await parts.run(useCases, caller, input, tools)), view);
  return { ...parts, prints: view, steps };
}

/** Forgets types that only the members of one object share: the command line gives each what another returned. */
function erased(command: object): OwnCommand {
  return command as OwnCommand;
}
