import type { Arguments, None, Options } from '@gatehouse/extension-kit/cli';
import type { Gatehouse } from '../cli.ts';
import type { Acting, AloneParts, ChangeParts, ListParts, OwnCommand, StepsParts } from './description.ts';

/**
 * Describes a command that changes something. The types of `input` follow from the arguments and options. Write `read`
 * and `run` before the members that use their results, because TypeScript infers the types in this order.
 */
export function defineChange<
  Value,
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: ChangeParts<Gatehouse, A, O, As, Read, Value>): OwnCommand {
  return erased({ kind: 'change', ...parts });
}

/** Describes a command that lists items page by page. */
export function defineList<
  Item,
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: ListParts<Gatehouse, A, O, As, Read, Item>): OwnCommand {
  return erased({ kind: 'list', ...parts });
}

/** Describes a command that does all its work, including printing, in one function: `steps`. */
export function defineSteps<
  const A extends Arguments = None,
  const O extends Options = None,
  const As extends Acting = Acting,
  Read = unknown,
>(parts: StepsParts<Gatehouse, A, O, As, Read>): OwnCommand {
  return erased({ kind: 'steps', ...parts });
}

/** Describes a command that needs no database, or opens it itself. */
export function defineAlone<const A extends Arguments = None, const O extends Options = None, Read = unknown>(
  parts: AloneParts<A, O, Read>,
): OwnCommand {
  return erased({ kind: 'alone', ...parts });
}

/**
 * Hides the types of a command's input and result. This is safe: the `define…` functions check that all functions of one
 * command agree on these types, and the code that runs commands only passes the result of one function to the next.
 */
function erased(command: object): OwnCommand {
  return command as OwnCommand;
}
