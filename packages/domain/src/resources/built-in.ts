import * as rules from '../access/rules.ts';
import { defineResource } from './resource.ts';

/** The resources of Gatehouse itself, in the order in which documents list them. */
export const BUILT_IN = [
  defineResource({
    name: 'accounts',
    rules: [rules.MANAGE_ACCOUNTS],
    actions: {
      'account.created': 'created the account',
      'account.suspended': 'suspended the account',
      'account.resumed': 'resumed the account',
    },
  }),
  defineResource({
    name: 'users',
    rules: [rules.MANAGE_USERS, rules.READ_ADMINS, rules.CHANGE_OWN_PASSWORD],
    actions: {
      'user.created': 'added the user',
      'user.disabled': 'disabled the user',
      'user.enabled': 'enabled the user',
      'user.role_set': 'set the role of the user',
      'user.password_set': 'set the password of the user',
    },
  }),
  defineResource({
    name: 'me',
    scopes: {
      'me:read': {
        label: 'Read its owner',
        allows: 'Whose token it is, with name, email, role and account.',
      },
    },
    rules: [rules.READ_ME],
  }),
  defineResource({
    name: 'orgs',
    scopes: {
      'orgs:read': {
        label: 'Read organizations',
        allows: 'The organizations of the account, one at a time.',
      },
    },
    rules: [rules.READ_ORGANIZATION, rules.MANAGE_ORGANIZATIONS],
    actions: {
      'organization.created': 'created the organization',
      'organization.updated': 'changed the organization',
      'organization.deleted': 'deleted the organization',
      'organization.member_added': 'added to an organization',
      'organization.member_removed': 'removed from an organization',
    },
  }),
  defineResource({
    name: 'tokens',
    rules: [
      rules.ISSUE_TOKENS,
      rules.REVOKE_TOKENS,
      rules.ROTATE_TOKENS,
      rules.UPDATE_TOKENS,
      rules.READ_TOKENS,
      rules.PRUNE_TOKENS,
    ],
    actions: {
      'token.created': 'created the token',
      'token.updated': 'changed the token',
      'token.revoked': 'revoked the token',
      'token.transferred': 'transferred the token',
      'token.rotated': 'rotated the token',
      'token.replaced': 'took the place of the token',
      'token.pruned': 'removed the token',
    },
  }),
  defineResource({
    name: 'sessions',
    rules: [rules.USE_OWN_SESSIONS],
    actions: { 'session.created': 'signed in', 'session.ended': 'ended a session' },
  }),
  defineResource({
    name: 'keys',
    rules: [rules.MANAGE_KEYS],
    actions: {
      'key.created': 'created the signing key',
      'key.activated': 'activated the signing key',
      'key.retired': 'retired the signing key',
      'key.rewrapped': 'encrypted the signing key again',
    },
  }),
  defineResource({
    name: 'extensions',
    rules: [rules.MANAGE_EXTENSIONS],
    actions: { 'extension.dropped': 'dropped the tables of the extension' },
  }),
  defineResource({
    name: 'audit',
    rules: [
      rules.READ_AUDIT,
      rules.READ_ACCOUNT_AUDIT,
      rules.EXPORT_AUDIT,
      rules.PRUNE_AUDIT,
      rules.REAPPLY_AUDIT,
    ],
    actions: { 'audit.pruned': 'deleted exported audit events' },
  }),
  defineResource({ name: 'health', rules: [rules.READ_HEALTH] }),
] as const;

/** What the audit log can say of the built-in resources; each app has a word for each. */
export type BuiltInAction = ActionOf<(typeof BUILT_IN)[number]>;

type ActionOf<R> = R extends { readonly actions: infer Actions } ? keyof Actions : never;
