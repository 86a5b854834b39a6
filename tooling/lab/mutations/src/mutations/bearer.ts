import { type Mutation, mutation } from '../mutation.ts';

const REFUSE = 'packages/http/src/refusal.ts';
const BEARER_HEADER = 'packages/http/src/identify.ts';
const REQUEST = 'packages/http/src/request.ts';
const ELSEWHERE = 'packages/http/src/identify.ts';

/** The presentation and refusal of bearer tokens (RFC 6750): requirements 1 to 5. */
export const BEARER: readonly Mutation[] = [
  mutation([1], 'A request without credentials gets the challenge of a refused token.', {
    file: REFUSE,
    find: 'isMissing ? answers.token_required : refusal(error, answers)',
    replace: 'refusal(error, answers)',
  }),
  mutation([2], 'The response to a refused token says why.', {
    file: REFUSE,
    find: 'isMissing ? answers.token_required : refusal(error, answers)',
    replace:
      "isMissing ? answers.token_required : withHeader(refusal(error, answers), ['x-reason', String((caller as { reason?: string }).reason)])",
  }),
  mutation([2], 'The body of a refusal says why.', {
    file: REFUSE,
    find: 'isMissing ? answers.token_required : refusal(error, answers)',
    replace:
      'isMissing ? answers.token_required : { ...refusal(error, answers), body: JSON.stringify(caller) }',
  }),
  mutation([3], 'The first of two Authorization headers counts.', {
    file: BEARER_HEADER,
    find: "if (valuesOf(node, 'authorization').length > 1) return 'repeated';",
  }),
  mutation([3], 'A second token in the query is ignored.', {
    file: ELSEWHERE,
    find: 'if (query !== undefined && HAS_PARAMETER.test(query)) return true;',
  }),
  mutation([3], 'A second token in a form is ignored.', {
    file: ELSEWHERE,
    find: 'isForm(type) && hasTokenInForm(request, otherwise)',
    replace: 'false',
  }),
  mutation([3], 'A token in the query is accepted if there is no header.', {
    file: REQUEST,
    find: 'this.#clientAddress = clientAddress;',
    replace:
      "this.#clientAddress = clientAddress;\n    const token = new URLSearchParams(this.query).get('access_token');\n    if (token) node.headers.authorization ??= `Bearer ${token}`;",
  }),
  mutation([4], 'Any white space may precede the token, and text may follow it.', {
    file: BEARER_HEADER,
    find: "rest.replace(/^ +/, '')",
    replace: "rest.trim().split(/\\s/)[0] ?? ''",
  }),
  mutation([5], 'The scheme is case-sensitive.', {
    file: BEARER_HEADER,
    find: 'authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME',
    replace: "!authorization.startsWith('Bearer')",
  }),
];
