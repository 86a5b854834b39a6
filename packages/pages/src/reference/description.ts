import type { OpenApiDocument } from '@gatehouse/api-contract';

/** A reference to a part of the document. */
export interface Reference {
  readonly $ref: string;
}

/** The keywords of JSON Schema that the reference shows. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly required?: readonly string[];
  readonly items?: Schema | Reference;
  readonly anyOf?: readonly (Schema | Reference)[];
  readonly oneOf?: readonly (Schema | Reference)[];
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

export interface HeaderField {
  readonly description: string;
}

interface Content {
  readonly schema: Schema | Reference;
}

export interface ResponseOf {
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderField | Reference>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly object[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly description: string;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, ResponseOf>>;
}

/** The parts of the OpenAPI document that the reference shows. */
export interface Description {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, HeaderField>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** The document as the reference reads it. */
export const descriptionOf = (document: OpenApiDocument): Description =>
  // The functions that make its parts declare them only as objects.
  document as unknown as Description;

/** Follows a reference: `#/components/KIND/NAME`. */
export function resolve<Part extends object>({ components }: Description, part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const [kind = '', name = ''] = part.$ref.split('/').slice(-2);
  const found = components[kind as keyof Description['components']]?.[name];
  if (!found) throw new Error(`there is no ${part.$ref}`);
  // The place of the reference decides the kind of the part.
  return found as Part;
}

/** An operation with its place. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Every operation, by tag. */
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
