import { type CheckedAnswer, createAnswerCheck } from '@gatehouse/api-contract/testing';
import type { Operation, ServedDocument } from './openapi.ts';
import type { FuzzRequest } from './requests.ts';

/** The rules that the document states in prose for every path: another method gets 405, another path 404. */
const ELSEWHERE = new Set([204, 400, 404, 405, 431]);

/** A page for browsers, which the document does not describe. */
const PAGE = '/';

/** 403 and 421 where no pages are shown. */
const OF_PAGE = new Set([200, 403, 405, 421]);

/** An unknown path gives a browser a page, except below the paths of the API. */
const OF_NO_PAGE = new Set([404]);

const OF_API = /^\/api(?:\/|$)/i;

/**
 * Returns a function that checks a response, by the document alone: the operation with the status, for counting, and the
 * errors, if any.
 */
export function createJudge(document: ServedDocument, operations: readonly Operation[]) {
  const { problemsOf } = createAnswerCheck(document);
  const known = operations.map((operation) => ({ operation, pattern: patternOf(operation.path) }));

  return ({ method, target, mayBeGood }: FuzzRequest, answer: CheckedAnswer) => {
    const { status } = answer;
    const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
    const asked = method === 'HEAD' ? 'GET' : method;
    const found = known.find(({ operation, pattern }) => operation.method === asked && pattern.test(path));
    const problems = status >= 500 ? [`${status}`] : [];
    if (path === PAGE && isHtml(answer)) {
      return { outcome: `page ${status}`, problems: [...problems, ...problemsOfPage(answer, OF_PAGE)] };
    }
    if (!found && isHtml(answer) && !OF_API.test(path)) {
      return { outcome: `no page ${status}`, problems: [...problems, ...problemsOfPage(answer, OF_NO_PAGE)] };
    }
    if (!found) {
      return {
        outcome: `elsewhere ${status}`,
        problems: [...problems, ...problemsElsewhere(method, answer)],
      };
    }
    const { id, takesBearer } = found.operation;
    if (takesBearer && !mayBeGood && (status < 400 || status === 403))
      problems.push('no such token is accepted');
    // A server that cannot parse the request does not know that it is HEAD.
    const isHead = method === 'HEAD' && answer.headers.get('connection') !== 'close';
    const isCut = method === 'HEAD' && !isHead;
    if (!isCut) problems.push(...problemsOf(id, answer, isHead ? 'HEAD' : undefined));
    return { outcome: `${id} ${status}`, problems };
  };
}

/** Text in braces is a path segment. */
function patternOf(path: string): RegExp {
  const [start, ...parts] = path.split(/\{[^}]*\}/).map((literal) => literal.replaceAll('.', '\\.'));
  return new RegExp(`^${[start, ...parts].join('[^/]*')}$`);
}

const isHtml = ({ headers }: CheckedAnswer) => headers.get('content-type') === 'text/html; charset=utf-8';

function problemsOfPage(
  { status, headers }: CheckedAnswer,
  expected: ReadonlySet<number>,
): readonly string[] {
  const problems = expected.has(status) ? [] : [`${status} to a page`];
  for (const name of ['x-request-id', 'content-security-policy'])
    if (!headers.has(name)) problems.push(`a page without ${name}`);
  return problems;
}

function problemsElsewhere(method: string, { status, headers, body }: CheckedAnswer): readonly string[] {
  const problems: string[] = [];
  if (!ELSEWHERE.has(status)) problems.push(`${status} for a request that is not described`);
  if (!headers.has('x-request-id')) problems.push('no X-Request-Id');
  if ((status === 204 || status === 405) && !headers.has('allow')) problems.push('no Allow');
  if (status === 204) return problems;
  if (headers.get('content-type') !== 'application/problem+json')
    problems.push('an error that is no problem document');
  if (method === 'HEAD') return problems;
  const members = Object.keys(JSON.parse(body)).join();
  return members === 'type,title,status' ? problems : [...problems, `a problem with the members ${members}`];
}
