import type { AuditAction } from '@gatehouse/domain/audit';
import type { BuiltInAction, Catalog } from '@gatehouse/domain/resources';
import { inWords, type Kinds } from './kinds.ts';

/** The changes by their names, each with its label and the actions that make it. */
export type Changes = ReadonlyMap<
  string,
  { readonly label: string; readonly actions: readonly AuditAction[] }
>;

/**
 * The labels of the changes in the filter, in its order. Another change of an extension has its own name as its
 * label.
 */
const LABELS = {
  created: 'Created',
  renamed: 'Renamed or edited',
  networks: 'Networks changed',
  revoked: 'Revoked',
  rotated: 'Rotated',
  replaced: 'Replaced',
  transferred: 'Transferred',
  deleted: 'Deleted',
  disabled: 'Disabled',
  enabled: 'Enabled',
  role: 'Role changed',
  password: 'Password changed',
  second_factor: 'Second factor',
  rules: 'Token rules changed',
  accepted: 'Invitation accepted',
  linked: 'Identity linked',
  unlinked: 'Identity unlinked',
  link_refused: 'Identity refused',
  member_added: 'Member added',
  member_removed: 'Member removed',
  signed_in: 'Signed in',
  ended: 'Session ended',
  suspended: 'Suspended',
  resumed: 'Resumed',
  noticed: 'Noticed by Gatehouse',
} as const;

type Change = keyof typeof LABELS;

/** The change of each last word of an action that is not itself a change. The compiler reports a word without one. */
const CHANGE_OF: Readonly<Record<Exclude<LastWord<ActionOfAccount>, Change>, Change>> = {
  role_set: 'role',
  demotion_refused: 'role',
  password_set: 'password',
  password_reset: 'password',
  armed: 'password',
  disarmed: 'password',
  break_glass_marked: 'unlinked',
  break_glass_unmarked: 'unlinked',
  email_proved: 'linked',
  second_factor_enrolled: 'second_factor',
  second_factor_removed: 'second_factor',
  second_factor_reset: 'second_factor',
  second_factor_set: 'second_factor',
  recovery_codes_made: 'second_factor',
  recovery_code_used: 'second_factor',
  second_factor_paused: 'second_factor',
  policy_set: 'rules',
  reset_link_created: 'created',
  networks_set: 'networks',
  updated: 'renamed',
  service_updated: 'renamed',
  pruned: 'deleted',
  reset_requested: 'password',
  notices_set: 'renamed',
  secret_rotated: 'rotated',
  expires_soon: 'noticed',
  expired_in_use: 'noticed',
  unused: 'noticed',
  used_from_new_network: 'noticed',
  exceeded: 'noticed',
};

type ActionOfAccount = Exclude<
  BuiltInAction,
  `${'audit' | 'extension' | 'floor' | 'key' | 'reaction' | 'service'}.${string}`
>;
type LastWord<Action> = Action extends `${string}.${infer Word}` ? Word : never;

/** Returns the changes in the filter: of actions of these kinds, built in or of extensions. */
export function changesOfEvents({ actions }: Pick<Catalog, 'actions'>, kinds: Kinds): Changes {
  const ofKinds = actions.filter((action) => kinds.has(action.split('.')[0] ?? ''));
  const byChange = Map.groupBy(ofKinds, changeOf);
  const order = new Set([...Object.keys(LABELS), ...byChange.keys()]);
  return new Map(
    [...order].flatMap((change) => {
      const done = byChange.get(change);
      const label = (LABELS as Readonly<Record<string, string>>)[change] ?? inWords(change);
      return done === undefined ? [] : [[change, { label, actions: done }] as const];
    }),
  );
}

function changeOf(action: AuditAction): string {
  if (action === 'session.created') return 'signed_in';
  const word = action.split('.')[1] ?? '';
  return (CHANGE_OF as Readonly<Record<string, Change>>)[word] ?? word;
}
