import { type AuditEvent, actingUser } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import type { Revocation } from '../../src/tokens/index.ts';
import type {
  NewServiceAccount,
  ResponsibleNotFit,
  ServiceAccount,
  ServiceAccountFate,
  ServiceAccountMaker,
  ServiceAccountRepository,
  ServiceAccountsUndecided,
  User,
  UserId,
} from '../../src/users/index.ts';
import {
  canAnswer,
  isAnswered,
  serviceAccountEnded,
  serviceAccountUpdated,
  serviceEmail,
} from '../../src/users/index.ts';
import { pageOf } from './page-of.ts';
import type { State } from './state.ts';

/** The part of a service account that is not its user. */
export interface StoredServiceAccount {
  readonly description: string | null;
  readonly responsibleId: UserId;
  readonly createdBy: ServiceAccountMaker;
}

export function createInMemoryServiceAccounts(state: State): ServiceAccountRepository {
  return {
    async insert({ accountId, name, role, createdAt, ...rest }, audit) {
      if (!state.accounts.has(accountId)) return err({ code: 'account_not_found' });
      if (!state.actorMayAct({ actor: rest.madeBy, accountId })) return err({ code: 'not_allowed' });
      if (!canAnswer(state.users.get(rest.responsibleId), { accountId }))
        return err({ code: 'responsible_not_fit' });
      const id = state.nextId() as UserId;
      const named = { id, accountId, email: serviceEmail(id), name, role, createdAt } as const;
      const { description, responsibleId } = rest;
      state.users.set(id, { ...named, kind: 'service', disabledAt: null, confirmedUntil: null });
      if (role === 'admin') state.onceAdmins.set(id, true);
      state.serviceAccounts.set(id, { description, responsibleId, createdBy: makerOf(state, rest) });
      const created = serviceAccountOf(state, id);
      if (!created) throw new Error('it was just stored');
      state.events.push(audit(created));
      return ok(created);
    },
    find: async (id) => serviceAccountOf(state, id),
    async list({ accountId, responsibleId, isUnanswered, isDisabled, after, limit }) {
      const selected = [...state.serviceAccounts.keys()]
        .flatMap((id) => serviceAccountOf(state, id) ?? [])
        .filter(
          (each) =>
            (accountId === undefined || each.user.accountId === accountId) &&
            (responsibleId === undefined || each.responsible.id === responsibleId) &&
            (isDisabled === undefined || (each.user.disabledAt !== null) === isDisabled) &&
            (!isUnanswered || (each.user.disabledAt === null && !isAnswered(each))),
        )
        .map((each) => ({ id: each.user.id, each }));
      return pageOf(selected, after, limit).map(({ each }) => each);
    },
    async update(id, changes, audit) {
      const before = serviceAccountOf(state, id);
      if (!before) return err({ code: 'service_account_not_found' });
      const { name = before.user.name, description = before.description } = changes;
      const { responsibleId = before.responsible.id } = changes;
      const responsible = state.users.get(responsibleId);
      const isNew = responsibleId !== before.responsible.id;
      if (!state.actorMayAct(audit(before, before))) return err({ code: 'not_allowed' });
      if (!responsible || (isNew && !canAnswer(responsible, before.user)))
        return err({ code: 'responsible_not_fit' });
      const isSame = name === before.user.name && description === before.description && !isNew;
      if (isSame) return ok({ before, after: before });
      state.users.set(id, { ...before.user, name });
      state.serviceAccounts.set(id, { description, responsibleId, createdBy: before.createdBy });
      const after = { ...before, user: { ...before.user, name }, description, responsible };
      state.events.push(audit(before, after));
      return ok({ before, after });
    },
  };
}

function makerOf(state: State, { madeBy }: Pick<NewServiceAccount, 'madeBy'>): ServiceAccountMaker {
  const id = actingUser({ actor: madeBy });
  const user = id === undefined ? undefined : state.users.get(id);
  if (user) return { id: user.id, name: user.name, email: user.email };
  return { id: null, name: 'name' in madeBy ? madeBy.name : '', email: null };
}

function serviceAccountOf(state: State, id: UserId): ServiceAccount | undefined {
  const [user, stored] = [state.users.get(id), state.serviceAccounts.get(id)];
  const responsible = stored && state.users.get(stored.responsibleId);
  if (!user || !stored || !responsible) return undefined;
  return { user, description: stored.description, responsible, createdBy: stored.createdBy };
}

/** The active service accounts for which the user answers. */
function answeredBy(state: State, { id }: User): readonly ServiceAccount[] {
  return [...state.serviceAccounts.keys()]
    .flatMap((each) => serviceAccountOf(state, each) ?? [])
    .filter(({ user, responsible }) => user.disabledAt === null && responsible.id === id);
}

type Fates = ReadonlyMap<UserId, ServiceAccountFate> | 'leave';

export function refuseFates(
  state: State,
  from: User,
  fates: Fates,
): ResponsibleNotFit | ServiceAccountsUndecided | undefined {
  if (fates === 'leave') return undefined;
  const undecided = answeredBy(state, from).filter(({ user }) => !fates.has(user.id));
  if (undecided.length > 0) {
    const named = undecided.map(({ user: { id, name } }) => ({ id, name }));
    return { code: 'service_accounts_undecided', undecided: named.slice(0, 100) };
  }
  const receivers = [...fates.values()].flatMap((fate) => (typeof fate === 'object' ? [fate.giveTo] : []));
  const isFit = receivers.every((to) => to !== from.id && canAnswer(state.users.get(to), from));
  return isFit ? undefined : { code: 'responsible_not_fit' };
}

/** Does to each service account of the user what was chosen, and returns their numbers. */
export function applyFates(
  state: State,
  from: User,
  fates: Fates,
  revocation: Revocation,
  event: AuditEvent,
) {
  const numbers = { disabled: 0, given: 0, left: 0 };
  const { actor, origin } = event;
  for (const before of answeredBy(state, from)) {
    const { user } = before;
    const fate = fates === 'leave' ? 'leave' : (fates.get(user.id) ?? 'leave');
    if (fate === 'leave') numbers.left += 1;
    else if (fate === 'disable') {
      numbers.disabled += 1;
      state.users.set(user.id, { ...user, disabledAt: revocation.at });
      state.revokeTokensOf(user.id, revocation, event, () => true);
      state.events.push({ ...serviceAccountEnded(user, revocation), actor, origin });
    } else {
      numbers.given += 1;
      const responsible = state.users.get(fate.giveTo) as User;
      const { description, createdBy } = before;
      state.serviceAccounts.set(user.id, { description, createdBy, responsibleId: responsible.id });
      const after = { ...before, responsible };
      state.events.push({ ...serviceAccountUpdated(before, after, revocation.at), actor, origin });
    }
  }
  return numbers;
}
