import type { Scope } from '../access/index.ts';
import type { Rule } from '../access/rules.ts';
import type { AuditAction } from '../audit/audit-event.ts';
import { type InvalidInput, invalid, ok, type Result } from '../result.ts';
import type { BuiltInResource, Resource, ScopeWords } from './resource.ts';

type AnyResource = Resource | BuiltInResource;

/** The scopes, rules and audit actions of all resources of an installation. */
export interface Catalog {
  /** The names of all resources. A service cannot have one of these names. */
  readonly names: readonly string[];
  /** All scopes: `*` first, then the scopes of the resources. */
  readonly scopes: readonly Scope[];
  readonly rules: readonly Rule[];
  readonly actions: readonly AuditAction[];
  /** Returns the words for a scope; undefined if the resource of the scope is not installed. */
  scopeWords(scope: Scope): ScopeWords | undefined;
  /**
   * Returns the words for an audit action of an extension; undefined if the action is built in, or its extension is not
   * installed.
   */
  actionWords(action: AuditAction): string | undefined;
  /**
   * Parses a list of scopes and removes duplicates. Refuses an empty list, because a token without scopes could do
   * nothing.
   */
  parseScopes(texts: readonly string[]): Result<readonly Scope[], InvalidInput>;
}

const EVERYTHING: ScopeWords = {
  label: 'Everything',
  allows:
    'Everything that the owner of the token may do through the API, in this version and in later versions.',
};

/**
 * Collects the scopes, rules and actions of all resources.
 *
 * @throws TypeError if two resources have the same name, rule or type of subject, or if a scope or action has no words
 */
export function createCatalog(resources: readonly AnyResource[]): Catalog {
  unique('name', resources, ({ name }) => [name]);
  unique('rule', resources, ({ rules }) => rules.map(({ name }) => name));
  unique('type of subject', resources, subjectTypes);

  const scopeWords = new Map<string, ScopeWords>([
    ['*', EVERYTHING],
    ...resources.flatMap(({ scopes = {} }) => Object.entries(scopes)),
  ]);
  const actionWords = new Map<string, string>(
    resources.flatMap(({ actions = {} }) => (isList(actions) ? [] : Object.entries(actions))),
  );
  for (const [scope, { label, allows }] of scopeWords) said(`the scope ${scope}`, label, allows);
  for (const [action, words] of actionWords) said(`the action ${action}`, words);
  // All keys of this map are scopes, but TypeScript does not know it.
  const scopes = [...scopeWords.keys()] as Scope[];
  return {
    names: resources.map(({ name }) => name),
    scopes,
    rules: resources.flatMap(({ rules }) => rules),
    actions: resources.flatMap(actionsOf),
    scopeWords: (scope) => scopeWords.get(scope),
    actionWords: (action) => actionWords.get(action),
    parseScopes(texts) {
      if (texts.length === 0 || texts.some((text) => !scopeWords.has(text))) {
        return invalid('scope', `must be one of ${scopes.join(', ')}`);
      }
      return ok(scopes.filter((scope) => texts.includes(scope)).sort());
    },
  };
}

/** The subject types of a resource in the audit log: the first words of its actions. */
export function subjectTypes(resource: AnyResource): readonly string[] {
  return [...new Set(actionsOf(resource).map((action) => action.split('.')[0] as string))];
}

/**
 * Returns the actions of a resource. A built-in resource has a list of actions, and an extension's resource has words
 * for each action.
 */
function actionsOf({ actions = [] }: AnyResource): readonly AuditAction[] {
  return isList(actions) ? actions : (Object.keys(actions) as AuditAction[]);
}

function isList(actions: NonNullable<AnyResource['actions']>): actions is readonly AuditAction[] {
  return Array.isArray(actions);
}

/** Throws a TypeError if two resources have the same value, such as a name. */
export function unique<Each extends { readonly name: string }>(
  what: string,
  resources: readonly Each[],
  valuesOf: (resource: Each) => readonly string[],
): void {
  const owners = new Map<string, string>();
  for (const resource of resources) {
    for (const value of valuesOf(resource)) {
      const owner = owners.get(value);
      if (owner !== undefined) {
        throw new TypeError(`the resources ${owner} and ${resource.name} have the same ${what}: ${value}`);
      }
      owners.set(value, resource.name);
    }
  }
}

/** Throws if one of the texts is empty, because users choose scopes by these texts. */
function said(what: string, ...words: readonly string[]): void {
  if (words.some((text) => text.trim() === '')) throw new TypeError(`${what} has no words`);
}
