import type { CheckedDocument } from '@gatehouse/api-contract/testing';

/** The part of JSON Schema that the document uses for requests. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'header' | 'query';
  readonly schema: Schema;
}

/** An operation of the document, with every reference to a parameter resolved. */
export interface Operation {
  readonly id: string;
  /** The method, in capitals. */
  readonly method: string;
  /** The path template, with the names of its parameters in braces. */
  readonly path: string;
  readonly takesBearer: boolean;
  /** Whether the bearer is the credential of a service, and not a token. */
  readonly isForServices: boolean;
  readonly parameters: readonly Parameter[];
  /** The schemas by content type; empty if it takes no body. */
  readonly bodies: Readonly<Record<string, Schema>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The OpenAPI document that a server returns. */
export interface ServedDocument extends CheckedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject & CheckedOperation>>>>;
}

type CheckedOperation = CheckedDocument['paths'][string][string];

export async function fetchDocument(url: string): Promise<ServedDocument> {
  const response = await fetch(`${url}/openapi.json`);
  return (await response.json()) as ServedDocument;
}

export function operationsOf(document: ServedDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters, requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      takesBearer: (security ?? []).length > 0,
      isForServices: (security ?? []).some((scheme) => 'credential' in scheme),
      parameters: (parameters ?? []).map((parameter) =>
        '$ref' in parameter ? (resolve(document, parameter.$ref) as Parameter) : parameter,
      ),
      bodies: Object.fromEntries(
        Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
          type,
          resolved(document, schema),
        ]),
      ),
    })),
  );
}

/** Resolves a schema's reference, but not those within it. */
export function resolved(document: ServedDocument, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (resolve(document, schema.$ref) as Schema);
}

/** RFC 6901, as far as our references need it. */
function resolve(document: object, reference: string): unknown {
  let found: unknown = document;
  for (const member of reference.slice('#/'.length).split('/')) {
    found = (found as Record<string, unknown>)[member];
  }
  return found;
}
