import { type Mutation, mutation } from '../mutation.ts';

const SIGN_IN_SCHEMA = 'packages/api-contract/src/routes/sign-in.ts';
const BODY_FORMAT = 'packages/http/src/body-format.ts';
const CLIENT_ADDRESS = 'packages/front/src/client-address.ts';
const PROTECT = 'packages/front/src/protect.ts';
const REQUEST = 'packages/http/src/request.ts';
const REQUEST_HANDLER = 'packages/http/src/request-handler.ts';
const ROUTE_PATHS = 'packages/http/src/route-paths.ts';

/** The content of requests and responses: requirements 31 to 38, 40 and 71. */
export const SURFACE: readonly Mutation[] = [
  mutation([31], 'Values of any type are read as text.', {
    file: SIGN_IN_SCHEMA,
    find: 'z\n  .string({ error',
    replace: 'z.coerce\n  .string({ error',
  }),
  mutation([31], 'A header overrides the routed path.', {
    file: REQUEST,
    find: 'routedPath(this.target)',
    replace: "routedPath(String(node.headers['x-original-url'] ?? this.target))",
  }),
  mutation([32], 'An id is any text that JavaScript parses as a number.', {
    file: 'packages/domain/src/identifiers.ts',
    find: 'if (!/^[1-9]\\d{0,15}$/.test(text)) return undefined;\n  const value = Number(text);\n  return Number.isSafeInteger(value) ? (value as Id) : undefined;',
    replace: 'return Number(decodeURIComponent(text)) || undefined;',
  }),
  mutation([32], 'An id that is not a number is a fault.', {
    file: 'packages/domain/src/identifiers.ts',
    find: 'if (!/^[1-9]\\d{0,15}$/.test(text)) return undefined;',
    replace: 'BigInt(text);',
  }),
  mutation([33], 'U+0000 and lone surrogates are accepted in text.', {
    file: 'packages/domain/src/text.ts',
    find: "!text.includes('\\u0000') && text.isWellFormed()",
    replace: 'text !== undefined',
  }),
  mutation([33], 'A request id may be any text.', {
    file: REQUEST,
    find: 'FITTING_ID.test(id) ? id : undefined',
    replace: 'id !== "" ? decodeURIComponent(id) + "\\u0100" : undefined',
  }),
  mutation([34], 'A body of an unknown type is parsed as JSON.', [
    {
      file: BODY_FORMAT,
      find: 'Object.hasOwn(FORMATS, type.essence) ? FORMATS[type.essence] : undefined;\n  if (!type || !parse',
      replace:
        "FORMATS[type.essence] ? FORMATS[type.essence] : FORMATS['application/json'];\n  if (!type || !parse",
    },
    {
      file: BODY_FORMAT,
      find: 'new MIMEType(contentType)',
      replace: "new MIMEType(contentType || 'text/plain')",
    },
  ]),
  mutation([35], 'Every peer is trusted to name the client.', {
    file: CLIENT_ADDRESS,
    find: 'while (isAmong(trusted, client) && ',
    replace: 'while (',
  }),
  mutation([35], 'A forwarded host is in the response.', {
    file: 'packages/http/src/respond.ts',
    find: 'const headers: string[] = [];',
    replace: "const headers: string[] = ['x-served-by', String(request.headers['x-forwarded-host'] ?? '')];",
  }),
  mutation([36], 'The parser is lenient.', {
    file: PROTECT,
    find: 'requireHostHeader: false,',
    replace: 'requireHostHeader: false,\n    insecureHTTPParser: true,',
  }),
  mutation([36], 'An unparsable request is answered before earlier requests.', {
    file: 'packages/front/src/responses.ts',
    find: "if (response && !response.writableFinished) response.once('finish', then);\n  else then();",
    replace: 'then();',
  }),
  mutation([36], 'The second of two pipelined requests is dropped.', {
    file: 'packages/front/src/pipelining.ts',
    find: 'ofConnection >= limits.perConnection',
    replace: 'ofConnection >= 1',
  }),
  mutation([37], 'An unavailable database is answered 500.', {
    file: REQUEST_HANDLER,
    find: 'if (fault instanceof UnavailableFault || fault instanceof SetupFault) {',
    replace: 'if (fault === null) {',
  }),
  mutation([37], 'The response to an error has its message.', {
    file: REQUEST_HANDLER,
    find: 'andThen(problemAnswer(problemOf(fault, request, log), request), send)',
    replace:
      'andThen(problemAnswer(problemOf(fault, request, log), request), (answer) => send({ ...answer, body: String(fault) }))',
  }),
  mutation([38], 'If the record cannot be read, the claims decide.', {
    file: 'packages/domain/src/tokens/authentication/authenticate-token.ts',
    find: 'onBehalf.ofUser(subject, () => tokens.findRecord(tokenId)),',
    replace:
      "(async () => tokens.findRecord(tokenId))().catch(() => ({ ...verified.claims, id: tokenId, keyId: verified.key.id, format: verified.key.format, createdAt: verified.claims.issuedAt, scopes: ['*'], accountId: 1, userId: subject, revocation: null, user: { id: subject, role: 'admin', disabledAt: null }, account: { id: 1, suspendedAt: null }, keyState: 'active' }) as never),",
  }),
  mutation([38], 'An error during a check allows the request.', {
    file: REQUEST_HANDLER,
    find: 'andThen(problemAnswer(problemOf(fault, request, log), request), send)',
    replace:
      "andThen(problemAnswer(problemOf(fault, request, log), request), (answer) => send({ ...answer, status: 200, body: '{}' }))",
  }),
  mutation([40], 'Slow requests are not cut off.', {
    file: PROTECT,
    find: 'headersTimeout: timeLimits.headers,\n    requestTimeout: timeLimits.request,',
    replace: 'headersTimeout: 0,\n      requestTimeout: 0,',
  }),
  mutation([40], 'Unparsable requests are not answered.', {
    file: 'packages/front/src/parse-errors.ts',
    find: "server.on('clientError', answer);",
    replace: "server.on('clientError', () => answer);",
  }),
  mutation([71], 'Routes of extensions may be anywhere.', {
    file: ROUTE_PATHS,
    find: 'if (!PATH.test(path))',
    replace: "if (path === '')",
  }),
  mutation([71], 'If two paths differ only in parameters, the router serves one of them.', {
    file: ROUTE_PATHS,
    find: 'if (other) throw',
    replace: "if (path === '') throw",
  }),
  mutation([71], 'If two routes have the same path and method, the second is served.', {
    file: 'packages/http/src/serve.ts',
    find: 'names.has(operationId) || endpoints[path]?.[method]',
    replace: "path === ''",
  }),
];
