import type { AccountId } from '@gatehouse/domain/accounts';
import type { CommandCaller } from '@gatehouse/extension-kit/cli';
import { usageError } from '../../errors/command-error.ts';
import { ACCOUNT_ID } from '../../input/parsers.ts';

export const ACCOUNT = {
  ...ACCOUNT_ID,
  description: "The account's id; with --as it is the admin's account",
  optional: true,
} as const;

export const FLOOR = 'the limits of the operator for the tokens of all accounts';

/** Returns the account that a command is about. If none is named, throws a usage error that says how to name it. */
export function accountOf(
  caller: CommandCaller,
  id: AccountId | undefined,
  how = 'as in `gatehouse account policy show 1`, or use --floor',
): AccountId {
  if (id !== undefined) return id;
  if (caller.kind === 'user') return caller.accountId;
  throw usageError(`Name the account, ${how}.`);
}
