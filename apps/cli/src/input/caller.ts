import type { Operator, Principal } from '@gatehouse/domain/access';
import type { Cli, Gatehouse } from '../cli.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { quote } from '../output/printable.ts';

/** Returns the email of `--as` or GATEHOUSE_AS. Call this before the database is opened. */
export function requireActor(as: string | undefined): string {
  if (as !== undefined) return as;
  throw usageError('Which admin should this command act as? Use --as EMAIL, or set GATEHOUSE_AS.');
}

export async function admin(cli: Cli, gatehouse: Gatehouse, email: string): Promise<Principal> {
  const acting = await gatehouse.actAs(email, cli.operator);
  if (acting.ok) return acting.value;
  throw new CommandError(
    'notAllowed',
    `${quote(email)} may not do this: --as needs an active admin of an account that is not suspended.`,
  );
}

/** Returns the caller of the use cases: the admin whom `--as` names, or the operator without `--as`. */
export async function callerOf(
  cli: Cli,
  gatehouse: Gatehouse,
  as: string | undefined,
): Promise<Principal | Operator> {
  return as === undefined ? cli.operator : admin(cli, gatehouse, as);
}
