export interface Reference {
  readonly $ref: string;
}

/** The keywords of JSON Schema that are printed. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly required?: readonly string[];
  readonly items?: Schema | Reference;
  readonly anyOf?: readonly (Schema | Reference)[];
  readonly oneOf?: readonly (Schema | Reference)[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema | Reference }>>;

/** The parts of an OpenAPI document that the client needs. */
export interface ClientDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export function parameterOf({ components }: ClientDocument, part: Parameter | Reference): Parameter {
  if (!('$ref' in part)) return part;
  const found = components.parameters[nameOf(part)];
  if (!found) throw new Error(`there is no ${part.$ref}`);
  return found;
}

export const nameOf = ({ $ref }: Reference): string => $ref.split('/').at(-1) ?? '';

export const isReference = (part: object): part is Reference => '$ref' in part;
