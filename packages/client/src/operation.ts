/** The request of an operation. */
export interface Operation {
  readonly method: string;
  /** The path, with parameter names in braces. */
  readonly path: string;
  /**
   * The input of a call. `nothing`: the call has no input. `value`: the only parameter of the path. `body`: the body.
   * `parts`: an object with the parameters by their names, and with the body as `body`.
   */
  readonly takes: 'nothing' | 'value' | 'body' | 'parts';
  readonly inPath: readonly string[];
  readonly inQuery: readonly string[];
  readonly needsToken: boolean;
  /** Whether the body is sent as a form, and not as JSON. */
  readonly isForm?: boolean;
  readonly statuses: readonly number[];
}

type Parts = Readonly<Record<string, unknown>>;

/**
 * Builds the target and the body of a request.
 *
 * @throws TypeError if the value of a parameter cannot be part of the path, such as `..`, or if an object is missing
 */
export function requestOf(
  operation: Operation,
  input: unknown,
): { readonly target: string; readonly body?: string } {
  const parts = partsOf(operation, input);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => segmentOf(name, parts[name]));
  const query = operation.inQuery
    .filter((name) => parts[name] !== undefined)
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(String(parts[name]))}`);
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
  if (parts.body === undefined) return { target };
  return { target, body: operation.isForm ? formOf(parts.body) : JSON.stringify(parts.body) };
}

function formOf(body: unknown): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(body as Parts))
    if (value !== undefined) fields.append(name, String(value));
  return `${fields}`;
}

const SENDABLE: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean']);

/**
 * Matches the segments `.`, `..` and their encoded forms, which `fetch` removes from a path (URL Standard section 4.4), and an
 * empty segment. With such a segment, the request and its token would go to another operation.
 */
const LEADS_ELSEWHERE = /^(?:\.|%2e){0,2}$/i;

function segmentOf(name: string, value: unknown): string {
  const text = SENDABLE.has(typeof value) ? String(value) : '';
  // A surrogate without its pair cannot be encoded as UTF-8.
  if (!LEADS_ELSEWHERE.test(text) && !/\p{Surrogate}/u.test(text)) return encodeURIComponent(text);
  const given = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw new TypeError(
    `${name} is part of a path, so it must be a number or a text such as 42, and cannot be ${given}`,
  );
}

function partsOf({ takes, inPath, inQuery }: Operation, input: unknown): Parts {
  switch (takes) {
    case 'nothing':
      return {};
    case 'value':
      return { [inPath[0] ?? '']: input };
    case 'body':
      return { body: input };
    case 'parts':
      if (typeof input === 'object' && input !== null) return input as Parts;
      throw new TypeError(
        `This operation takes its parameters by name: pass an object with ${[...inPath, ...inQuery].join(', ')}`,
      );
  }
}
