export interface Reference {
  readonly $ref: string;
}

/** The keywords of JSON Schema that are compared between two versions of a schema. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
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
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema | Reference;
}

type Content = Readonly<Record<string, { readonly schema: Schema | Reference }>>;

export interface Answer {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean } | Reference>>;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** The parts of an OpenAPI document that clients depend on. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Follows a reference within its document. */
export function resolve<Part extends object>({ components }: Document, part: Part | Reference): Part {
  if (!('$ref' in part)) return part;
  const [kind = '', name = ''] = part.$ref.split('/').slice(-2);
  const found = components[kind]?.[name];
  if (!found) throw new Error(`there is no ${part.$ref}`);
  // Which kind of part is meant follows from the place of the reference.
  return found as Part;
}
