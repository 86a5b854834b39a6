import type { AccountId } from '@gatehouse/domain/accounts';
import type { OpenTo } from '@gatehouse/domain/services';
import { ACCOUNT_IDS, OPEN_TO } from '../../input/parsers.ts';

/** The option that says to whom a service is open. */
export const openToOption = (description: string) => ({ ...OPEN_TO, description }) as const;

/** The options that change to whom a service is open. Only one of them can be given. */
export const OPENING = {
  openTo: openToOption(
    'Let the tokens of all accounts have the scopes of the service, or those of exactly these accounts: all, or ids separated by commas',
  ),
  alsoOpenTo: {
    ...ACCOUNT_IDS,
    description: 'Open the service to these accounts as well, such as 7 or 7,42',
    conflicts: ['openTo', 'closeTo'],
  },
  closeTo: {
    ...ACCOUNT_IDS,
    description: 'Close the service to these accounts: their tokens keep its scopes, which grant nothing',
    conflicts: ['openTo', 'alsoOpenTo'],
  },
} as const;

interface Given {
  readonly openTo: 'all' | readonly AccountId[] | undefined;
  readonly alsoOpenTo: readonly AccountId[] | undefined;
  readonly closeTo: readonly AccountId[] | undefined;
}

/** Returns the change of the option that was given; undefined if none was. */
export function openingOf({ openTo, alsoOpenTo, closeTo }: Given): OpenTo | undefined {
  if (openTo !== undefined) return openTo === 'all' ? openTo : { only: openTo };
  if (alsoOpenTo !== undefined) return { also: alsoOpenTo };
  return closeTo && { without: closeTo };
}
