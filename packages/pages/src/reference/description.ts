import type { OpenApiDocument } from '@gatehouse/api-contract';

/** The keywords of a JSON Schema that the reference shows. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

type HeaderFields = Readonly<Record<string, { readonly description: string }>>;

export interface ResponseOf {
  readonly description: string;
  readonly headers: HeaderFields;
  readonly content?: Content;
}

type DocumentedOperation = OpenApiDocument['paths'][string][string];

export interface Operation extends Omit<DocumentedOperation, 'parameters' | 'requestBody' | 'responses'> {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly description: string; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseOf>>;
}

/** The parts of the OpenAPI document that the reference shows. Each `$ref` is replaced by the part that it names. */
export interface Description extends Pick<OpenApiDocument, 'info' | 'tags'> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: HeaderFields;
  };
}

/** Replaces each reference in a document (`#/components/KIND/NAME`) by the part that it names. */
export function descriptionOf(document: OpenApiDocument): Description {
  const components: Readonly<Record<string, Readonly<Record<string, unknown>>>> = document.components;
  function resolve(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== 'object' || part === null) return part;
    if (!('$ref' in part))
      return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolve(value)]));
    const [kind = '', name = ''] = String(part.$ref).split('/').slice(-2);
    const found = components[kind]?.[name];
    if (found === undefined) throw new Error(`there is no ${part.$ref}`);
    return resolve(found);
  }
  return resolve(document) as Description;
}

/** An operation with its method and its path. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Returns the tags of the document, each with its operations. */
export function operationsByTag({ tags, paths }: Description) {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Placed => ({ method: method.toUpperCase(), path, operation }),
    ),
  );
  return tags.map((tag) => ({
    tag,
    operations: placed.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
}
