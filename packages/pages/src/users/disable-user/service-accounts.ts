import type { ServiceAccountFate, UserId } from '@gatehouse/domain/users';
import type { FieldError } from '../../elements/form.ts';
import { type Html, html } from '../../html.ts';
import { areFew, choosers, pairsOf } from './choosers.ts';
import type { DisableFacts } from './tokens.ts';

/** One select for each service account for which the user answers. */
export const FATE_FIELDS = { fates: { label: 'Service accounts', type: 'checkbox' } } as const;

type Fates = ReadonlyMap<UserId, ServiceAccountFate>;

/** Stands for all service accounts, if there are too many for a select each. */
const ALL = 'all';

const adminsOf = ({ owners }: DisableFacts) => owners.filter(({ kind }) => kind === 'person');

/** Reads what happens to each service account. Returns the error if one has no answer. */
export function readFates(facts: DisableFacts, values: readonly string[]): Fates | readonly FieldError[] {
  const answers = pairsOf(values);
  const fates = new Map<UserId, ServiceAccountFate>();
  for (const { id } of facts.serviceAccounts) {
    const answer = answers.get(ALL) ?? answers.get(String(id));
    const admin = adminsOf(facts).find((each) => String(each.id) === answer);
    if (admin) fates.set(id, { giveTo: admin.id });
    else if (answer === 'disable' || answer === 'leave') fates.set(id, answer);
    else return [{ field: 'fates', message: 'Choose what happens to each service account.' }];
  }
  return fates;
}

/** Asks about each service account for which the user answers; null if there are none. */
export function fateQuestion(
  facts: DisableFacts,
  chosen: readonly string[],
  error: string | undefined,
): Html | null {
  const { serviceAccounts, moreServiceAccounts } = facts;
  if (serviceAccounts.length === 0) return null;
  const items = areFew(serviceAccounts, adminsOf(facts))
    ? serviceAccounts
    : [{ id: ALL, name: `All ${serviceAccounts.length} service accounts` }];
  const answers = {
    ...Object.fromEntries(
      adminsOf(facts).map(({ id, name, email }) => [id, `${name} (${email}) answers for it`]),
    ),
    disable: 'Disable it, and revoke its tokens',
    leave: 'Leave it without a responsible admin',
  };
  const legend = 'Service accounts for which the user answers';
  return html`${choosers({ field: 'fates', legend, items, answers, chosen, error })}${
    moreServiceAccounts ? html`<p class="hint">There are more. First change who answers for these.</p>` : null
  }`;
}
