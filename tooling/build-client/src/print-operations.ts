import {
  type ClientDocument,
  type OperationObject,
  type Parameter,
  parameterOf,
  type Schema,
} from './document.ts';
import { printMembers, printType, union } from './print-type.ts';

interface Placed extends OperationObject {
  readonly path: string;
  readonly method: string;
  /** Parameters of the path and the query. Header fields belong to the options of a call. */
  readonly inputs: readonly Parameter[];
}

/**
 * Prints the source of `operations.ts` of the client: a type for each schema, the input and the answers of each operation, and the
 * table that the client builds requests from. Streams of events are left out, because the client waits for whole answers.
 */
export function printOperations(document: ClientDocument): string {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Placed => {
        const parameters = operation.parameters.map((each) => parameterOf(document, each));
        const inputs = parameters.filter((each) => each.in !== 'header');
        return { ...operation, path, method: method.toUpperCase(), inputs };
      }),
    )
    .filter((operation) => !isStream(operation));
  return indented([
    '// Written from the OpenAPI document by `npm run docs`: change the document instead.',
    "import type { Answer, ProblemOf } from './answer.ts';\nimport type { Operation } from './operation.ts';",
    ...Object.entries(document.components.schemas).map(([name, schema]) => printSchema(name, schema)),
    '/** The input and the answers of each operation. */',
    `export interface Operations {\n${operations.map(printOperation).join('\n')}\n}`,
    `export const OPERATIONS = {\n${operations.map(printRow).join('\n')}\n} as const satisfies Readonly<Record<keyof Operations, Operation>>;`,
  ]);
}

/** Indents the text in braces. */
function indented(parts: readonly string[]): string {
  let depth = 0;
  const lines = parts
    .join('\n\n')
    .split('\n')
    .map((line) => {
      if (line.startsWith('}')) depth -= 1;
      const shown = line === '' ? '' : '  '.repeat(depth) + line;
      if (line.endsWith('{')) depth += 1;
      return shown;
    });
  return `${lines.join('\n')}\n`;
}

function printSchema(name: string, schema: Schema): string {
  const problem = problemIn(schema);
  if (problem) return `export type ${name} =\n  ProblemOf<${problem.join(', ')}>;`;
  const about = schema.description === undefined ? '' : `/** ${schema.description} */\n`;
  return schema.properties && !schema.anyOf && !schema.oneOf
    ? `${about}export interface ${name} ${printMembers(schema)}`
    : `${about}export type ${name} = ${printType(schema)};`;
}

/** Returns status, type and title of a problem that has no other members; undefined for other schemas. */
function problemIn({ properties = {} }: Schema): readonly string[] | undefined {
  const { status, type, title, ...others } = properties;
  if (!status || !type || !title || Object.keys(others).length > 0) return undefined;
  const parts = [status, type, title];
  return parts.every((part) => 'const' in part) ? parts.map(printType) : undefined;
}

function printOperation(operation: Placed): string {
  const answers = Object.entries(operation.responses).map(([status, { content = {} }]) => {
    const [{ schema } = { schema: undefined }] = Object.values(content);
    return `  | Answer<${status}, ${schema ? printType(schema) : 'undefined'}>`;
  });
  return `/** ${operation.summary}: \`${operation.method} ${operation.path}\`. */
readonly ${operation.operationId}: {
readonly input: ${printInput(operation)};
readonly answer:
${answers.join('\n')};
};`;
}

function printInput(operation: Placed): string {
  const body = bodyOf(operation);
  switch (takes(operation)) {
    case 'nothing':
      return 'undefined';
    case 'value':
      return 'string | number';
    case 'body':
      return body ? printType(body) : 'undefined';
    case 'parts': {
      const parts = operation.inputs.map(
        (each) => `readonly ${each.name}${each.required ? '' : '?'}: ${printParameter(each)};`,
      );
      return `{\n${[...parts, ...(body ? [`readonly body: ${printType(body)};`] : [])].join('\n')}\n}`;
    }
  }
}

/** An id in a path may be given as the number that an answer has. */
function printParameter({ in: place, schema }: Parameter): string {
  return place === 'path' ? 'string | number' : union([printType(schema)]);
}

function takes(operation: Placed): 'nothing' | 'value' | 'body' | 'parts' {
  const [first, ...others] = operation.inputs;
  const body = bodyOf(operation);
  if (!first) return body ? 'body' : 'nothing';
  return others.length === 0 && !body && first.in === 'path' ? 'value' : 'parts';
}

function bodyOf({ requestBody }: Placed) {
  return (requestBody?.content['application/json'] ?? requestBody?.content[FORM])?.schema;
}

const FORM = 'application/x-www-form-urlencoded';

const isStream = ({ responses }: OperationObject) =>
  Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);

/** Whether a form is the only format of the body. */
function isForm({ requestBody }: Placed): boolean {
  return requestBody !== undefined && requestBody.content['application/json'] === undefined;
}

function printRow(operation: Placed): string {
  const names = (place: string) =>
    JSON.stringify(operation.inputs.filter((each) => each.in === place).map(({ name }) => name));
  return `${operation.operationId}: {
method: '${operation.method}', path: '${operation.path}', takes: '${takes(operation)}', inPath: ${names('path')}, inQuery: ${names('query')},
needsToken: ${operation.security.length > 0}, statuses: [${Object.keys(operation.responses).join(', ')}],${isForm(operation) ? '\nisForm: true,' : ''}
},`;
}
