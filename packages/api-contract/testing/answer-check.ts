import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A received response, with header names in lower case. */
export interface CheckedAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

interface HeaderObject {
  readonly required: boolean;
  readonly schema: object;
}

interface Reference {
  readonly $ref: string;
}

interface ResponseObject {
  readonly headers: Readonly<Record<string, Reference | HeaderObject>>;
  readonly content?: Readonly<Record<string, object>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** The parts of the OpenAPI document that responses are checked against. */
export interface CheckedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly headers: Readonly<Record<string, HeaderObject>> };
}

/** Headers that must be documented if they are sent. */
const TELLING = ['etag', 'cache-control', 'retry-after', 'www-authenticate', 'x-token-expires-at', 'allow'];

/** Creates a check of responses against a document, using nothing but the document. */
export function createAnswerCheck(document: CheckedDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const operations = operationsOf(document);

  function faultsIn(pointer: string, value: unknown): readonly string[] {
    const validate = ajv.getSchema(`document#${pointer}`);
    if (!validate) throw new Error(`there is no schema at ${pointer}`);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${pointer}${instancePath} ${message}`);
  }

  function problemsOfContent(
    pointer: string,
    { content }: ResponseObject,
    answer: CheckedAnswer,
    isHead: boolean,
  ) {
    const type = answer.headers.get('content-type');
    const [expected] = Object.keys(content ?? {});
    const problems = type === expected ? [] : [`content type ${type} and not ${expected}`];
    if (expected === undefined || isHead) {
      return answer.body === '' ? problems : [...problems, 'a body where there is none'];
    }
    if (expected === EVENTS) {
      const schema = `${pointer}/content/${escaped(expected)}/schema`;
      return [...problems, ...eventsIn(answer.body).flatMap((event) => faultsIn(schema, parse(event)))];
    }
    const body = parse(answer.body);
    if (body === NO_JSON) return [...problems, 'a body that is no JSON'];
    return [...problems, ...faultsIn(`${pointer}/content/${escaped(expected)}/schema`, body)];
  }

  function referred({ $ref }: Reference) {
    return {
      place: $ref.slice(1),
      required: document.components.headers[$ref.split('/').at(-1) ?? '']?.required,
    };
  }

  function problemsOfHeaders(
    pointer: string,
    { headers: described }: ResponseObject,
    { headers }: CheckedAnswer,
  ) {
    const problems: string[] = [];
    for (const [name, header] of Object.entries(described)) {
      const { place, required } =
        '$ref' in header ? referred(header) : { place: `${pointer}/headers/${name}`, ...header };
      const value = headers.get(name.toLowerCase());
      if (value !== undefined) problems.push(...faultsIn(`${place}/schema`, value));
      else if (required) problems.push(`no ${name}`);
    }
    const names = new Set(Object.keys(described).map((name) => name.toLowerCase()));
    const unheardOf = TELLING.filter((name) => headers.has(name) && !names.has(name));
    return [...problems, ...unheardOf.map((name) => `${name} is unheard of`)];
  }

  return {
    /** Every operation with every documented status. */
    documented: [...operations].flatMap(([id, { operation }]) =>
      Object.keys(operation.responses).map((status) => `${id} ${status}`),
    ),
    /** Returns how a response differs from the document. A response to HEAD must not have a body. */
    problemsOf(operationId: string, answer: CheckedAnswer, method?: 'HEAD'): readonly string[] {
      const { operation, pointer } = operations.get(operationId) ?? {};
      const response = operation?.responses[answer.status];
      if (!response) return [`${operationId} ${answer.status} is unheard of`];
      return [
        ...problemsOfContent(`${pointer}/${answer.status}`, response, answer, method === 'HEAD'),
        ...problemsOfHeaders(`${pointer}/${answer.status}`, response, answer),
      ];
    },
  };
}

function operationsOf({ paths }: CheckedDocument) {
  const operations = new Map<string, { readonly operation: OperationObject; readonly pointer: string }>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const pointer = `/paths/${escaped(path)}/${method}/responses`;
      operations.set(operation.operationId, { operation, pointer });
    }
  }
  return operations;
}

/** RFC 6901 section 3, and in a fragment (section 6). */
function escaped(member: string): string {
  return encodeURIComponent(member.replaceAll('~', '~0').replaceAll('/', '~1'));
}

const EVENTS = 'text/event-stream';

/** Returns the data of each server-sent event. */
const eventsIn = (body: string) => [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => data as string);

const NO_JSON = Symbol('no JSON');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}
