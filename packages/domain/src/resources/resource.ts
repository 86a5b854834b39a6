import type { NarrowScope } from '../access/index.ts';
import type { Rule } from '../access/rules.ts';
import type { AuditAction } from '../audit/audit-event.ts';

/** Words for a scope, shown to users who make tokens. */
export interface ScopeWords {
  /** A short name for the scope, such as "Read organizations". */
  readonly label: string;
  /** A sentence that describes what a token with the scope may do. */
  readonly allows: string;
}

/** The scopes, rules and audit actions of one resource, which all layers share. */
export interface Resource {
  /**
   * The name of the resource in lower case with dashes, such as `orgs`. The names of the resource's scopes begin with
   * this name.
   */
  readonly name: string;
  readonly scopes?: Readonly<Record<NarrowScope, ScopeWords>>;
  /** Every rule that the resource's use cases check. */
  readonly rules: readonly Rule[];
  /**
   * The words for each audit action, such as "created the organization". In a sentence, they are between the actor and
   * the name of the subject.
   */
  readonly actions?: Readonly<Record<AuditAction, string>>;
}

/**
 * A resource of Gatehouse itself. The words for its actions are in the code of the web pages, which does not compile if
 * words are missing.
 */
export interface BuiltInResource extends Omit<Resource, 'actions'> {
  readonly actions?: readonly AuditAction[];
}

/**
 * Checks and returns the description of a resource. The exact type of the description is kept.
 *
 * @throws TypeError if a scope does not begin with the resource's name, or a rule needs a scope that is not described
 */
export function defineResource<const R extends Resource>(resource: R): R {
  const { name, scopes = {}, rules }: Resource = resource;
  const foreign = Object.keys(scopes).find((scope) => !scope.startsWith(`${name}:`));
  if (foreign !== undefined) throw new TypeError(`${name}: the scope ${foreign} must begin with ${name}:`);
  const open = rules.find(
    ({ scope }) => scope !== undefined && scope !== 'asked' && !Object.hasOwn(scopes, scope),
  );
  if (open)
    throw new TypeError(`${name}: the rule ${open.name} needs ${open.scope}, which scopes must describe`);
  return resource;
}
