import {
  actorOf,
  authorized,
  MANAGE_SERVICE_ACCOUNTS,
  type Operator,
  type Principal,
} from '../../access/index.ts';
import type { AccountId } from '../../accounts/account.ts';
import { checkAccount } from '../../accounts/account-repository.ts';
import { eventBy } from '../../audit/event-by.ts';
import { refuseWhileOlder } from '../../editions/refuse-while-older.ts';
import { inPages } from '../../paging.ts';
import type { Ports } from '../../ports.ts';
import { err, ok, type Result } from '../../result.ts';
import { checkName, checkText } from '../../text.ts';
import { findNamed, mayKnow, type NamedUser } from '../named-user.ts';
import type { Role, User, UserId } from '../user.ts';
import type { UserRepository } from '../user-repository.ts';
import type { ServiceAccount } from './service-account.ts';
import { serviceAccountCreated, serviceAccountUpdated } from './service-account-events.ts';
import type {
  ResponsibleNotFit,
  ServiceAccountNotFound,
  ServiceAccountRepository,
} from './service-account-repository.ts';

export const SERVICE_DESCRIPTION_MAX_LENGTH = 500;

/** Checks the description of a service account, and removes white space around it. A text without any is null. */
function checkDescription(text: string) {
  const checked = checkText('description', text.trim(), SERVICE_DESCRIPTION_MAX_LENGTH);
  return checked.ok ? ok(text.trim() === '' ? null : text.trim()) : checked;
}

export interface CreateServiceAccountInput {
  /** The account, for an operator. An admin makes service accounts of the own account only. */
  readonly accountId: AccountId;
  readonly name: string;
  readonly description?: string | undefined;
  readonly role: Role;
  readonly responsible: NamedUser;
}

/** Makes a service account. Refuses while a server of an older version runs, which would not know it as one. */
export const createServiceAccount = authorized(
  MANAGE_SERVICE_ACCOUNTS,
  (ports: Ports<'accounts' | 'users' | 'serviceAccounts' | 'editions' | 'clock'>) =>
    async (caller, { accountId, role, ...input }: CreateServiceAccountInput) => {
      if (!mayKnow(caller, { accountId })) return err({ code: 'account_not_found' });
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      const description = checkDescription(input.description ?? '');
      if (!description.ok) return description;
      const account = await checkAccount(ports.accounts, accountId);
      if (!account.ok) return account;
      const responsible = await findResponsible(ports.users, caller, input.responsible);
      if (!responsible.ok) return responsible;
      const known = await refuseWhileOlder(ports);
      if (!known.ok) return known;
      const inserting = {
        accountId,
        name: name.value,
        description: description.value,
        role,
        responsibleId: responsible.value.id,
        madeBy: actorOf(caller),
        createdAt: ports.clock.now(),
      };
      return ports.serviceAccounts.insert(inserting, (created) =>
        eventBy(caller, serviceAccountCreated(created)),
      );
    },
);

/** Finds a service account. For an admin, one of another account counts as absent. */
export const showServiceAccount = authorized(
  MANAGE_SERVICE_ACCOUNTS,
  ({ serviceAccounts }: Ports<'serviceAccounts'>) =>
    async (caller, id: UserId) =>
      findServiceAccount(serviceAccounts, caller, id),
);

export interface ListServiceAccountsInput {
  /** The account; for an admin always the own one. Default for an operator: all accounts. */
  readonly accountId?: AccountId | undefined;
  /** Selects those for which this user answers. */
  readonly responsibleId?: UserId | undefined;
  /** Selects those that are active and have no responsible admin. */
  readonly isUnanswered?: true | undefined;
  readonly isDisabled?: boolean | undefined;
}

/** Lists service accounts in pages that are sorted by id. */
export const listServiceAccounts = authorized(
  MANAGE_SERVICE_ACCOUNTS,
  ({ accounts, serviceAccounts }: Ports<'accounts' | 'serviceAccounts'>) =>
    async (caller, input: ListServiceAccountsInput) => {
      const accountId = caller.kind === 'operator' ? input.accountId : caller.accountId;
      const known = await checkAccount(accounts, accountId);
      if (!known.ok) return known;
      const query = { ...input, accountId };
      return ok(
        inPages<ServiceAccount>((last, limit) =>
          serviceAccounts.list({ ...query, limit, ...(last && { after: last.user.id }) }),
        ),
      );
    },
);

/** Number of service accounts on a page. */
const PAGE_SIZE = 50;

/** Returns one page of the service accounts of the caller's account, for the pages of its admins. */
export const listOwnServiceAccounts = authorized(
  MANAGE_SERVICE_ACCOUNTS,
  ({ serviceAccounts }: Ports<'serviceAccounts'>) =>
    async (caller, { after, ...filter }: OwnServiceAccountsInput = {}) => {
      if (caller.kind === 'operator') return err({ code: 'not_allowed' });
      const query = { ...filter, accountId: caller.accountId, ...(after !== undefined && { after }) };
      const found = await serviceAccounts.list({ ...query, limit: PAGE_SIZE + 1 });
      const listed = found.slice(0, PAGE_SIZE);
      const next = found.length > PAGE_SIZE ? listed.at(-1)?.user.id : undefined;
      return ok({ serviceAccounts: listed, next });
    },
);

export interface OwnServiceAccountsInput {
  /** The page begins after the service account with this id. */
  readonly after?: UserId | undefined;
  readonly isUnanswered?: true | undefined;
  readonly isDisabled?: boolean | undefined;
}

export interface UpdateServiceAccountInput {
  readonly id: UserId;
  readonly name?: string | undefined;
  /** An empty text removes the description. */
  readonly description?: string | undefined;
  readonly responsible?: NamedUser | undefined;
}

/** Changes the name, the description or the responsible person of a service account. */
export const updateServiceAccount = authorized(
  MANAGE_SERVICE_ACCOUNTS,
  ({ users, serviceAccounts, clock }: Ports<'users' | 'serviceAccounts' | 'clock'>) =>
    async (caller, { id, ...input }: UpdateServiceAccountInput) => {
      const found = await findServiceAccount(serviceAccounts, caller, id);
      if (!found.ok) return found;
      const name = input.name === undefined ? ok(undefined) : checkName('name', input.name);
      if (!name.ok) return name;
      const description =
        input.description === undefined ? ok(undefined) : checkDescription(input.description);
      if (!description.ok) return description;
      const responsible = input.responsible && (await findResponsible(users, caller, input.responsible));
      if (responsible && !responsible.ok) return responsible;
      const at = clock.now();
      const changes = {
        name: name.value,
        description: description.value,
        responsibleId: responsible?.value.id,
      };
      return serviceAccounts.update(id, changes, (before, after) =>
        eventBy(caller, serviceAccountUpdated(before, after, at)),
      );
    },
);

/** Finds a service account that the caller may know. */
export async function findServiceAccount(
  serviceAccounts: Pick<ServiceAccountRepository, 'find'>,
  caller: Principal | Operator,
  id: UserId,
): Promise<Result<ServiceAccount, ServiceAccountNotFound>> {
  const found = await serviceAccounts.find(id);
  return found && mayKnow(caller, found.user) ? ok(found) : err({ code: 'service_account_not_found' });
}

/** A person whom the caller may not know is answered as one who cannot answer. The store decides who can. */
async function findResponsible(
  users: UserRepository,
  caller: Principal | Operator,
  named: NamedUser,
): Promise<Result<User, ResponsibleNotFit>> {
  const found = await findNamed(users, caller, named);
  return found.ok ? found : err({ code: 'responsible_not_fit' });
}
