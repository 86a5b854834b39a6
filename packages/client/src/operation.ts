/** What the client has to know of an operation to send it. */
export interface Operation {
  readonly method: string;
  /** With parameter names in braces. */
  readonly path: string;
  /**
   * What a call is given: nothing, the only parameter of the path, the body, or an object with parameters by their names and
   * `body`.
   */
  readonly takes: 'nothing' | 'value' | 'body' | 'parts';
  readonly inPath: readonly string[];
  readonly inQuery: readonly string[];
  readonly needsToken: boolean;
  readonly statuses: readonly number[];
}

type Parts = Readonly<Record<string, unknown>>;

/** Builds the target and the body of a request. */
export function requestOf(
  operation: Operation,
  input: unknown,
): { readonly target: string; readonly body?: string } {
  const parts = partsOf(operation, input);
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parts[name])),
  );
  const query = operation.inQuery
    .filter((name) => parts[name] !== undefined)
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(String(parts[name]))}`);
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
  return parts.body === undefined ? { target } : { target, body: JSON.stringify(parts.body) };
}

function partsOf({ takes, inPath }: Operation, input: unknown): Parts {
  switch (takes) {
    case 'nothing':
      return {};
    case 'value':
      return { [inPath[0] ?? '']: input };
    case 'body':
      return { body: input };
    case 'parts':
      return input as Parts;
  }
}
