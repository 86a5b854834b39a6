import {
  canAnswer,
  type ServiceAccount,
  type ServiceAccountFate,
  type User,
  type UserId,
} from '@gatehouse/domain/users';
import type { Cli, Gatehouse } from '../../cli.ts';
import { CommandError } from '../../errors/command-error.ts';
import { unwrap } from '../../errors/refusals.ts';
import { EMAIL } from '../../input/parsers.ts';
import { askForLine } from '../../input/prompt.ts';
import { counted } from '../../views/count.ts';

/** The options that say what happens to the service accounts for which the user answers. */
export const FATE_OPTIONS = {
  serviceAccountsTo: {
    ...EMAIL,
    description: 'Make this admin responsible for the service accounts for which the user answers',
    conflicts: ['disableServiceAccounts', 'leaveServiceAccounts'],
  },
  disableServiceAccounts: {
    description: 'Disable the service accounts for which the user answers, and revoke their tokens',
    conflicts: ['leaveServiceAccounts'],
  },
  leaveServiceAccounts: {
    description: 'Leave the service accounts without a responsible admin; `gatehouse doctor` names them',
  },
} as const;

export interface GivenFate {
  readonly serviceAccountsTo?: string | undefined;
  readonly disableServiceAccounts?: boolean | undefined;
  readonly leaveServiceAccounts?: boolean | undefined;
}

/** Finds the active service accounts for which the user answers. */
export async function answeredBy(
  gatehouse: Gatehouse,
  cli: Cli,
  { id, accountId }: User,
): Promise<readonly ServiceAccount[]> {
  const pages = unwrap(
    await gatehouse.listServiceAccounts(cli.operator, { accountId, responsibleId: id, isDisabled: false }),
  );
  const found: ServiceAccount[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

/** Returns the fate that an option chose for all service accounts; undefined if none was given. */
export async function chosenFate(
  gatehouse: Gatehouse,
  cli: Cli,
  given: GivenFate,
): Promise<ServiceAccountFate | undefined> {
  if (given.disableServiceAccounts) return 'disable';
  if (given.leaveServiceAccounts) return 'leave';
  if (given.serviceAccountsTo === undefined) return undefined;
  const found = await gatehouse.findUser(cli.operator, given.serviceAccountsTo);
  if (!found.ok) throw new CommandError('notFound', 'There is no such user as --service-accounts-to names.');
  return { giveTo: found.value.id };
}

export const sameFate = (answered: readonly ServiceAccount[], fate: ServiceAccountFate | undefined) =>
  new Map<UserId, ServiceAccountFate>(
    fate === undefined ? [] : answered.map(({ user }) => [user.id, fate] as const),
  );

/** Asks at the prompt about each service account. */
export async function askForFates(
  cli: Cli,
  gatehouse: Gatehouse,
  user: User,
  answered: readonly ServiceAccount[],
): Promise<Map<UserId, ServiceAccountFate>> {
  const fates = new Map<UserId, ServiceAccountFate>();
  const find = async (text: string) => {
    const found = await gatehouse.findUser(cli.operator, text);
    return found.ok && found.value.id !== user.id && canAnswer(found.value, user) ? found.value : undefined;
  };
  const isWord = (text: string) => text === 'disable' || text === 'leave';
  for (const { user: account } of answered) {
    const typed = await askForLine(
      cli,
      `Service account ${account.id}: email of the next responsible admin, "disable" or "leave":`,
      async (text) =>
        isWord(text.trim()) || (await find(text.trim()))
          ? undefined
          : 'This is not another active admin of the account: type a different address, "disable" or "leave"',
    );
    const text = typed.trim();
    const found = isWord(text) ? undefined : await find(text);
    fates.set(account.id, found ? { giveTo: found.id } : text === 'disable' ? 'disable' : 'leave');
  }
  return fates;
}

/** Says what happened to the service accounts; an empty text if there were none. */
export function fatesInWords({
  disabled,
  given,
  left,
}: Readonly<Record<'disabled' | 'given' | 'left', number>>) {
  const parts = [
    ...(disabled > 0 ? [`disabled ${counted(disabled, 'service account')}`] : []),
    ...(given > 0 ? [`gave ${counted(given, 'service account')} another responsible admin`] : []),
    ...(left > 0
      ? [
          `left ${counted(left, 'service account')} without a responsible admin (\`gatehouse service-account list --unanswered\`)`,
        ]
      : []),
  ];
  const text = parts.join(', ');
  return text === '' ? '' : ` ${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
