import type { NarrowScope } from '../access/index.ts';
import type { Rule } from '../access/rules.ts';
import type { AuditAction } from '../audit/audit-event.ts';

/** What a scope allows, in words for those who make tokens. */
export interface ScopeWords {
  /** Such as "Read organizations". */
  readonly label: string;
  /** What a token with it may do, as a sentence. */
  readonly allows: string;
}

/** What a resource of the domain adds to the words that all layers share. */
export interface Resource {
  /** In lower case with dashes, such as `orgs`; its scopes begin with it. */
  readonly name: string;
  readonly scopes?: Readonly<Record<NarrowScope, ScopeWords>>;
  /** Every rule that its use cases ask. */
  readonly rules: readonly Rule[];
  /** What the audit log can say of it: after the one who acted and before the name, such as "created the organization". */
  readonly actions?: Readonly<Record<AuditAction, string>>;
}

/** A resource of Gatehouse itself. Pages have the words of its actions, and do not compile without them. */
export interface BuiltInResource extends Omit<Resource, 'actions'> {
  /** What the audit log can say of it. */
  readonly actions?: readonly AuditAction[];
}

/**
 * Describes a resource, keeping its exact type.
 *
 * @throws TypeError if a scope does not begin with the resource's name, or a rule needs a scope that is not described
 */
export function defineResource<const R extends Resource>(resource: R): R {
  const { name, scopes = {}, rules }: Resource = resource;
  const foreign = Object.keys(scopes).find((scope) => !scope.startsWith(`${name}:`));
  if (foreign !== undefined) throw new TypeError(`${name}: the scope ${foreign} must begin with ${name}:`);
  const open = rules.find(({ scope }) => scope !== undefined && !Object.hasOwn(scopes, scope));
  if (open)
    throw new TypeError(`${name}: the rule ${open.name} needs ${open.scope}, which scopes must describe`);
  return resource;
}
