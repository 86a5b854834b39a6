/** `resource:action`, such as `orgs:read`. The scopes of a resource begin with the name of the resource. */
export type NarrowScope = `${string}:${string}`;

/**
 * `*` or `resource:action`. `*` allows everything that the user of the token may do. The scope of a stored token may
 * belong to an extension that is no longer installed.
 */
export type Scope = '*' | NarrowScope;

interface Conditions {
  /**
   * The scope that a token needs. A rule without a scope refuses every token: the user must act in person. `asked`: the
   * request names the scope, and the use case decides whether the token has it.
   */
  readonly scope?: NarrowScope | 'asked';
  /** The users whom the rule allows. `members` are the members of the resource, and admins. */
  readonly users: 'all' | 'members' | 'admins' | 'none';
  readonly operator?: true;
  /** Whether the rule allows services, which prove what they are by a credential. */
  readonly services?: true;
}

declare const defined: unique symbol;

/**
 * A rule that says which callers may perform an action. docs/administer/access.md shows every rule that a resource
 * lists.
 */
export interface Rule extends Conditions {
  readonly name: string;
  readonly [defined]: true;
}

/** A rule that allows services. The caller of a route with this rule is a service. */
export interface ServiceRule extends Rule {
  readonly services: true;
}

/** Defines a rule. The catalog of rules contains the rule only if a resource lists the rule (`defineResource`). */
export function defineRule(name: string, conditions: Conditions): Rule {
  return Object.freeze({ name, ...conditions }) as Rule;
}

export const READ_ME = defineRule('me:read', { scope: 'me:read', users: 'all' });
export const READ_ORGANIZATION = defineRule('orgs:read', { scope: 'orgs:read', users: 'members' });
export const ISSUE_TOKENS = defineRule('tokens:issue', { users: 'admins' });
export const REVOKE_TOKENS = defineRule('tokens:revoke', { users: 'admins' });
export const ROTATE_TOKENS = defineRule('tokens:rotate', { users: 'admins' });
export const GIVE_TOKENS = defineRule('tokens:give', { users: 'admins' });
export const UPDATE_TOKENS = defineRule('tokens:update', { users: 'admins' });
export const READ_TOKENS = defineRule('tokens:read', { users: 'admins', operator: true });
export const CHECK_TOKENS = defineRule('tokens:check', { users: 'all' });
export const PRUNE_TOKENS = defineRule('tokens:prune', { users: 'none', operator: true });
export const MANAGE_ACCOUNTS = defineRule('accounts:manage', { users: 'none', operator: true });
export const READ_ACCOUNT = defineRule('accounts:read', { users: 'all', operator: true });
export const RENAME_ACCOUNTS = defineRule('accounts:rename', { users: 'admins', operator: true });
export const READ_TOKEN_POLICIES = defineRule('policies:read', { users: 'admins', operator: true });
export const SET_TOKEN_POLICIES = defineRule('policies:set', { users: 'admins', operator: true });
export const SET_TOKEN_FLOOR = defineRule('policies:set-floor', { users: 'none', operator: true });
export const APPLY_TOKEN_POLICIES = defineRule('policies:apply', { users: 'admins', operator: true });
export const MANAGE_USERS = defineRule('users:manage', { users: 'none', operator: true });
export const INVITE_USERS = defineRule('users:invite', { users: 'admins', operator: true });
export const MAKE_RESET_LINKS = defineRule('users:reset-links', { users: 'admins', operator: true });
export const MANAGE_SERVICE_ACCOUNTS = defineRule('users:service-accounts', {
  users: 'admins',
  operator: true,
});
export const READ_USERS = defineRule('users:read', { users: 'admins', operator: true });
export const CHANGE_USERS = defineRule('users:change', { users: 'admins', operator: true });
export const SHOW_ORGANIZATIONS = defineRule('orgs:show', { users: 'members', operator: true });
export const MANAGE_ORGANIZATIONS = defineRule('orgs:manage', { users: 'admins', operator: true });
export const MANAGE_SERVICES = defineRule('services:manage', { users: 'none', operator: true });
export const INTROSPECT_TOKENS = defineRule('services:introspect', {
  users: 'none',
  services: true,
}) as ServiceRule;
export const READ_TOKEN_CHANGES = defineRule('services:changes', {
  users: 'none',
  services: true,
}) as ServiceRule;
export const REPORT_TOKEN_USES = defineRule('services:report-uses', {
  users: 'none',
  services: true,
}) as ServiceRule;
export const VERIFY_SCOPES = defineRule('services:verify', { scope: 'asked', users: 'all' });
export const MANAGE_WEBHOOKS = defineRule('webhooks:manage', { users: 'admins', operator: true });
export const MANAGE_KEYS = defineRule('keys:manage', { users: 'none', operator: true });
export const MANAGE_EXTENSIONS = defineRule('extensions:manage', { users: 'none', operator: true });
export const MANAGE_REACTIONS = defineRule('reactions:manage', { users: 'none', operator: true });
export const READ_AUDIT = defineRule('audit:read', { users: 'none', operator: true });
export const READ_ACCOUNT_AUDIT = defineRule('audit:read-own', { users: 'admins' });
export const READ_HEALTH = defineRule('health:read', { users: 'none', operator: true });
export const EXPORT_AUDIT = defineRule('audit:export', { users: 'none', operator: true });
export const PRUNE_AUDIT = defineRule('audit:prune', { users: 'none', operator: true });
export const REAPPLY_AUDIT = defineRule('audit:reapply', { users: 'none', operator: true });
export const USE_OWN_SESSIONS = defineRule('sessions:own', { users: 'all' });
export const READ_ADMINS = defineRule('admins:read', { users: 'all' });
export const RENAME_SELF = defineRule('profile:rename', { users: 'all' });
export const USE_OWN_SECOND_FACTOR = defineRule('second-factor:own', { users: 'all' });
export const SHOW_SECOND_FACTOR_POLICY = defineRule('accounts:second-factor', {
  users: 'all',
  operator: true,
});
export const SET_SECOND_FACTOR_POLICY = defineRule('accounts:set-second-factor', {
  users: 'admins',
  operator: true,
});
export const USE_OWN_NOTICES = defineRule('notices:own', { users: 'all' });
export const SEND_TEST_MAIL = defineRule('mail:test', { users: 'none', operator: true });
export const CHANGE_OWN_PASSWORD = defineRule('password:own', { users: 'all' });
