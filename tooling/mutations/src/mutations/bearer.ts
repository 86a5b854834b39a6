import type { Mutation } from '../mutation.ts';

const AUTHENTICATION = 'apps/server/src/authentication.ts';
const BEARER_HEADER = 'apps/server/src/http/bearer.ts';
const QUERY = 'apps/server/src/http/query.ts';
const ELSEWHERE = 'apps/server/src/http/token-elsewhere.ts';

/** The presentation and refusal of bearer tokens (RFC 6750): requirements 1 to 5. */
export const BEARER: readonly Mutation[] = [
  {
    requirements: [1],
    change: 'A request without credentials gets the challenge of a refused token.',
    edits: [
      {
        file: AUTHENTICATION,
        find: "caller === NO_TOKEN && error.code === 'token_not_accepted' ? TOKEN_REQUIRED : refusal(error)",
        replace: 'refusal(error)',
      },
    ],
  },
  {
    requirements: [2],
    change: 'The response to a refused token says why.',
    edits: [
      {
        file: AUTHENTICATION,
        find: "'token_not_accepted' ? TOKEN_REQUIRED : refusal(error)",
        replace:
          "'token_not_accepted' ? TOKEN_REQUIRED : withHeader(refusal(error), ['x-reason', String((caller as { reason?: string }).reason)])",
      },
    ],
  },
  {
    requirements: [2],
    change: 'The body of a refusal says why.',
    edits: [
      {
        file: AUTHENTICATION,
        find: "'token_not_accepted' ? TOKEN_REQUIRED : refusal(error)",
        replace:
          "'token_not_accepted' ? TOKEN_REQUIRED : { ...refusal(error), body: JSON.stringify(caller) }",
      },
    ],
  },
  {
    requirements: [3],
    change: 'Of two Authorization headers the first counts.',
    edits: [{ file: BEARER_HEADER, find: "if (isRepeated(rawHeaders)) return 'repeated';", replace: '' }],
  },
  {
    requirements: [3],
    change: 'A second token in the query is ignored.',
    edits: [
      {
        file: ELSEWHERE,
        find: 'if (query !== undefined && HAS_PARAMETER.test(query)) return true;',
        replace: '',
      },
    ],
  },
  {
    requirements: [3],
    change: 'A second token in a form is ignored.',
    edits: [{ file: ELSEWHERE, find: 'isForm(type) && hasTokenInForm(request)', replace: 'false' }],
  },
  {
    requirements: [3],
    change: 'A token in the query is taken where there is no header.',
    edits: [
      {
        file: QUERY,
        find: 'if (start !== -1) ',
        replace:
          "const token = new URLSearchParams(target.slice(start)).get('access_token');\n  if (start !== -1 && token) request.headers.authorization ??= `Bearer ${token}`;\n  if (start !== -1) ",
      },
    ],
  },
  {
    requirements: [4],
    change: 'Any white space may precede the token, and text may follow it.',
    edits: [
      { file: BEARER_HEADER, find: "rest.replace(/^ +/, '')", replace: "rest.trim().split(/\\s/)[0] ?? ''" },
    ],
  },
  {
    requirements: [5],
    change: 'The scheme is case-sensitive.',
    edits: [
      {
        file: BEARER_HEADER,
        find: 'authorization.slice(0, SCHEME.length).toLowerCase() !== SCHEME',
        replace: "!authorization.startsWith('Bearer')",
      },
    ],
  },
];
