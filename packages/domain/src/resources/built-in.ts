import * as rules from '../access/rules.ts';
import { type BuiltInResource, defineResource } from './resource.ts';

/**
 * All rules. They are sorted by name, because bundlers and test runners do not keep the order of a module's exports.
 */
const RULES = Object.values(rules)
  .filter((each): each is rules.Rule => typeof each === 'object')
  .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** The resources of Gatehouse itself, in the order in which documents list them. */
export const BUILT_IN = [
  builtIn({
    name: 'accounts',
    actions: [
      'account.created',
      'account.renamed',
      'account.suspended',
      'account.resumed',
      'account.policy_set',
      'account.second_factor_set',
    ],
  }),
  builtIn({
    name: 'users',
    rules: [
      rules.READ_ADMINS,
      rules.RENAME_SELF,
      rules.CHANGE_OWN_PASSWORD,
      rules.USE_OWN_SECOND_FACTOR,
      rules.USE_OWN_NOTICES,
    ],
    actions: [
      'user.created',
      'user.renamed',
      'user.service_updated',
      'user.disabled',
      'user.enabled',
      'user.role_set',
      'user.password_set',
      'user.reset_link_created',
      'user.password_reset',
      'user.linked',
      'user.unlinked',
      'user.link_refused',
      'user.demotion_refused',
      'user.armed',
      'user.disarmed',
      'user.break_glass_marked',
      'user.break_glass_unmarked',
      'user.email_proved',
      'user.second_factor_enrolled',
      'user.second_factor_removed',
      'user.second_factor_reset',
      'user.recovery_codes_made',
      'user.recovery_code_used',
      'user.second_factor_paused',
      'user.reset_requested',
      'user.notices_set',
    ],
  }),
  builtIn({
    name: 'invitations',
    actions: ['invitation.created', 'invitation.accepted', 'invitation.revoked'],
  }),
  builtIn({
    name: 'me',
    scopes: {
      'me:read': {
        label: 'Read the owner of the token',
        allows: 'The user to whom the token belongs, with name, email, role and account.',
      },
    },
  }),
  builtIn({
    name: 'orgs',
    scopes: {
      'orgs:read': {
        label: 'Read organizations',
        allows: 'List and read the organizations of the account that the owner of the token may see.',
      },
    },
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
    actions: [
      'token.created',
      'token.updated',
      'token.networks_set',
      'token.revoked',
      'token.transferred',
      'token.rotated',
      'token.replaced',
      'token.pruned',
      'token.expires_soon',
      'token.expired_in_use',
      'token.unused',
      'token.used_from_new_network',
    ],
  }),
  builtIn({ name: 'policies', actions: ['floor.set', 'policy.exceeded'] }),
  builtIn({
    name: 'webhooks',
    actions: [
      'webhook.created',
      'webhook.updated',
      'webhook.deleted',
      'webhook.secret_rotated',
      'webhook.enabled',
      'webhook.disabled',
    ],
  }),
  builtIn({
    name: 'reactions',
    actions: ['reaction.retried', 'reaction.skipped', 'reaction.moved', 'reaction.removed'],
  }),
  builtIn({
    name: 'services',
    actions: [
      'service.created',
      'service.updated',
      'service.deleted',
      'service.scope_added',
      'service.scope_removed',
      'service.credential_created',
      'service.credential_rotated',
      'service.credential_revoked',
    ],
  }),
  builtIn({ name: 'sessions', actions: ['session.created', 'session.ended'] }),
  builtIn({
    name: 'keys',
    actions: ['key.created', 'key.activated', 'key.retired', 'key.rewrapped', 'key.due'],
  }),
  builtIn({ name: 'extensions', actions: ['extension.dropped'] }),
  builtIn({ name: 'audit', actions: ['audit.pruned'] }),
  builtIn({ name: 'mail' }),
  builtIn({ name: 'health' }),
] as const;

/** Every audit action of the built-in resources. */
export type BuiltInAction = ActionOf<(typeof BUILT_IN)[number]>;

type ActionOf<R> = R extends { readonly actions: readonly (infer Action)[] } ? Action : never;

/** A built-in resource. `rules` lists only the rules whose names do not begin with the name of the resource. */
type Described = Omit<BuiltInResource, 'rules'> & Partial<Pick<BuiltInResource, 'rules'>>;

/** Adds the rules whose names begin with the name of the resource, and checks the resource as `defineResource` does. */
function builtIn<const R extends Described>(resource: R) {
  const { name, scopes = {}, rules: others = [] }: Described = resource;
  const own = RULES.filter((rule) => rule.name.startsWith(`${name}:`));
  const { rules: all } = defineResource({ name, scopes, rules: [...own, ...others] });
  return { ...resource, rules: all };
}
