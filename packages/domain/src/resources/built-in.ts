import * as rules from '../access/rules.ts';
import { type BuiltInResource, defineResource } from './resource.ts';

/** The resources of Gatehouse itself, in the order in which documents list them. */
export const BUILT_IN = [
  builtIn({
    name: 'accounts',
    rules: [rules.MANAGE_ACCOUNTS],
    actions: ['account.created', 'account.suspended', 'account.resumed'],
  }),
  builtIn({
    name: 'users',
    rules: [rules.MANAGE_USERS, rules.READ_ADMINS, rules.CHANGE_OWN_PASSWORD],
    actions: ['user.created', 'user.disabled', 'user.enabled', 'user.role_set', 'user.password_set'],
  }),
  builtIn({
    name: 'me',
    scopes: {
      'me:read': {
        label: 'Read its owner',
        allows: 'Whose token it is, with name, email, role and account.',
      },
    },
    rules: [rules.READ_ME],
  }),
  builtIn({
    name: 'orgs',
    scopes: {
      'orgs:read': {
        label: 'Read organizations',
        allows: 'The organizations of the account, one at a time.',
      },
    },
    rules: [rules.READ_ORGANIZATION, rules.MANAGE_ORGANIZATIONS],
    actions: [
      'organization.created',
      'organization.updated',
      'organization.deleted',
      'organization.member_added',
      'organization.member_removed',
    ],
  }),
  builtIn({
    name: 'tokens',
    rules: [
      rules.ISSUE_TOKENS,
      rules.REVOKE_TOKENS,
      rules.ROTATE_TOKENS,
      rules.UPDATE_TOKENS,
      rules.READ_TOKENS,
      rules.PRUNE_TOKENS,
    ],
    actions: [
      'token.created',
      'token.updated',
      'token.revoked',
      'token.transferred',
      'token.rotated',
      'token.replaced',
      'token.pruned',
    ],
  }),
  builtIn({
    name: 'sessions',
    rules: [rules.USE_OWN_SESSIONS],
    actions: ['session.created', 'session.ended'],
  }),
  builtIn({
    name: 'keys',
    rules: [rules.MANAGE_KEYS],
    actions: ['key.created', 'key.activated', 'key.retired', 'key.rewrapped'],
  }),
  builtIn({
    name: 'extensions',
    rules: [rules.MANAGE_EXTENSIONS],
    actions: ['extension.dropped'],
  }),
  builtIn({
    name: 'audit',
    rules: [
      rules.READ_AUDIT,
      rules.READ_ACCOUNT_AUDIT,
      rules.EXPORT_AUDIT,
      rules.PRUNE_AUDIT,
      rules.REAPPLY_AUDIT,
    ],
    actions: ['audit.pruned'],
  }),
  builtIn({ name: 'health', rules: [rules.READ_HEALTH] }),
] as const;

/** The audit actions of the built-in resources. */
export type BuiltInAction = ActionOf<(typeof BUILT_IN)[number]>;

type ActionOf<R> = R extends { readonly actions: readonly (infer Action)[] } ? Action : never;

/** Checks the resource as `defineResource` does. */
function builtIn<const R extends BuiltInResource>(resource: R): R {
  const { name, scopes = {}, rules }: BuiltInResource = resource;
  defineResource({ name, scopes, rules });
  return resource;
}
