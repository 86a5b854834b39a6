import { type Awaitable, andThen, err, ok, type Result } from '@gatehouse/domain';
import type { ParameterSchemas, Route } from '@gatehouse/extension-kit/http';
import { z } from 'zod';
import type { Answer } from './answer.ts';
import { bodyFormat, isUncompressed } from './body-format.ts';
import { type FieldError, fieldErrors, invalidFields, PROBLEM_ANSWERS } from './problem.ts';
import type { HttpRequest } from './request.ts';
import { decodePercent, splitOnce } from './request-target.ts';

/** The path parameters, query and body of a request, parsed by the schemas of its route. */
interface Input {
  readonly params: object;
  readonly query: object;
  readonly body: unknown;
}

const NONE = {};
const NO_QUERY = ok(NONE);
const NO_BODY = ok(undefined);

/**
 * Creates the function that parses requests for a route: the path, then the query, then the body. Its error is the
 * answer to send.
 */
export function createParse({
  params = NONE,
  query: parameters,
  queryProblem,
  body: schema,
  isForm,
  isLargeJson,
}: Route): (request: HttpRequest) => Awaitable<Result<Input, Answer>> {
  const inPath = Object.entries(params);
  const options = {
    refusesRepeated: isForm === true,
    tooLarge: isLargeJson ? PROBLEM_ANSWERS.json_too_large : PROBLEM_ANSWERS.body_too_large,
  };
  const parseQuery = parameters ? createQueryParser(parameters) : () => NO_QUERY;
  return (request) => {
    const params: Record<string, unknown> = {};
    for (const [name, inPlace] of inPath) {
      const parsed = inPlace.safeParse(decodedSegment(request.params[name] ?? ''));
      if (!parsed.success) return err(PROBLEM_ANSWERS.not_found);
      params[name] = parsed.data;
    }
    const query = parseQuery(request);
    if (!query.ok) return err(invalidFields(queryProblem ?? 'invalid_query', query.error));
    return andThen(schema ? parseBody(request, schema, options) : NO_BODY, (body) =>
      body.ok ? ok({ params, query: query.value, body: body.value }) : body,
    );
  };
}

const decodedSegment = (text: string) => (text.includes('%') ? (decodePercent(text) ?? text) : text);

interface BodyOptions {
  /** Whether a field of a form may occur only once. */
  readonly refusesRepeated: boolean;
  /** The answer to a body that is too large. */
  readonly tooLarge: Answer;
}

async function parseBody(
  request: HttpRequest,
  schema: z.ZodType,
  { refusesRepeated, tooLarge }: BodyOptions,
): Promise<Result<unknown, Answer>> {
  const format = bodyFormat(request.headers['content-type'], { refusesRepeated });
  if (!format || !isUncompressed(request)) return err(PROBLEM_ANSWERS.unsupported_media_type);

  const bytes = await request.body();
  if (bytes === 'too_large') return err(tooLarge);
  if (bytes === 'aborted') return err(PROBLEM_ANSWERS.malformed_body);
  const body = format(bytes);
  if (!body.ok) return err(PROBLEM_ANSWERS.malformed_body);
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return ok(parsed.data);
  return err(invalidFields('invalid_input', fieldErrors(parsed.error, 'body')));
}

/**
 * Creates the function that parses the query parameters in the route's description. It ignores all other parameters.
 */
function createQueryParser(schemas: ParameterSchemas) {
  const shape = z.object(schemas);
  return ({ query = '' }: Pick<HttpRequest, 'query'>): Result<object, readonly FieldError[]> => {
    const values: Record<string, string> = {};
    const errors: FieldError[] = [];
    for (const pair of withoutMarks(query).split('&')) {
      const [encodedName, encodedValue] = splitOnce(pair);
      const name = decodedText(encodedName) ?? '';
      if (!Object.hasOwn(schemas, name)) continue;
      const value = decodedText(encodedValue);
      if (value === undefined) errors.push({ field: name, message: 'must be percent-encoded UTF-8' });
      else if (Object.hasOwn(values, name)) errors.push({ field: name, message: 'must be given once' });
      else values[name] = value;
    }
    if (errors.length > 0) return err(errors);
    const parsed = shape.safeParse(values);
    return parsed.success ? ok(parsed.data) : err(fieldErrors(parsed.error, 'query'));
  };
}

/** Removes the question mark at the beginning of a query. Also removes a fragment, which clients should not send. */
const withoutMarks = (query: string) => query.replace(/^\?|#.*$/gs, '');

function decodedText(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', ' '));
}
