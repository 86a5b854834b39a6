import type { Mutation } from '../mutation.ts';

const SIGN_IN_SCHEMA = 'packages/api-contract/src/routes/sign-in.ts';
const BODY_FORMAT = 'apps/server/src/http/body-format.ts';
const CLIENT_ADDRESS = 'apps/server/src/http/client-address.ts';
const HTTP_SERVER = 'apps/server/src/http/http-server.ts';
const RAW_ANSWER = 'apps/server/src/http/raw-response.ts';
const FAULTS = 'apps/server/src/http/faults.ts';

/** The content of requests and responses: requirements 31 to 38, and 40. */
export const SURFACE: readonly Mutation[] = [
  {
    requirements: [31],
    change: 'Values of any type are read as text.',
    edits: [
      { file: SIGN_IN_SCHEMA, find: 'z\n    .string({ error', replace: 'z.coerce\n    .string({ error' },
    ],
  },
  {
    requirements: [31],
    change: 'A header overrides the routed path.',
    edits: [
      {
        file: HTTP_SERVER,
        find: "routedPath(request.url ?? '') : MALFORMED_TARGET",
        replace: "routedPath(String(request.headers['x-original-url'] ?? request.url)) : MALFORMED_TARGET",
      },
    ],
  },
  {
    requirements: [32],
    change: 'An id is any text that JavaScript parses as a number.',
    edits: [
      {
        file: 'packages/domain/src/identifiers.ts',
        find: 'if (!/^[1-9]\\d{0,15}$/.test(text)) return undefined;\n  const value = Number(text);\n  return Number.isSafeInteger(value) ? value : undefined;',
        replace: 'return Number(decodeURIComponent(text)) || undefined;',
      },
    ],
  },
  {
    requirements: [32],
    change: 'An id that is not a number is a fault.',
    edits: [
      {
        file: 'packages/domain/src/identifiers.ts',
        find: 'if (!/^[1-9]\\d{0,15}$/.test(text)) return undefined;',
        replace: 'BigInt(text);',
      },
    ],
  },
  {
    requirements: [33],
    change: 'U+0000 and lone surrogates are accepted in text.',
    edits: [
      {
        file: 'packages/domain/src/text.ts',
        find: "!text.includes('\\u0000') && text.isWellFormed()",
        replace: 'text !== undefined',
      },
    ],
  },
  {
    requirements: [33],
    change: 'A request id may be any text.',
    edits: [
      {
        file: 'apps/server/src/http/request.ts',
        find: 'FITTING.test(id) ? id : undefined',
        replace: 'id !== "" ? decodeURIComponent(id) + "\\u0100" : undefined',
      },
    ],
  },
  {
    requirements: [34],
    change: 'A body of an unknown type is parsed as JSON.',
    edits: [
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
    ],
  },
  {
    requirements: [35],
    change: 'Every peer is trusted to name the client.',
    edits: [{ file: CLIENT_ADDRESS, find: 'while (isTrusted(client) && ', replace: 'while (' }],
  },
  {
    requirements: [35],
    change: 'A forwarded host is in the response.',
    edits: [
      {
        file: 'apps/server/src/http/respond.ts',
        find: 'const headers: Header[] = [...answer.headers, NOSNIFF,',
        replace:
          "const headers: Header[] = [...answer.headers, ['x-served-by', event.req.headers.get('x-forwarded-host') ?? ''], NOSNIFF,",
      },
    ],
  },
  {
    requirements: [36],
    change: 'The parser is lenient.',
    edits: [
      {
        file: HTTP_SERVER,
        find: 'requireHostHeader: false,',
        replace: 'requireHostHeader: false, insecureHTTPParser: true,',
      },
    ],
  },
  {
    requirements: [36],
    change: 'An unparsable request is answered before earlier requests.',
    edits: [
      {
        file: RAW_ANSWER,
        find: "if (response && !response.writableFinished) response.once('finish', then);\n  else then();",
        replace: 'then();',
      },
    ],
  },
  {
    requirements: [36],
    change: 'The second of two pipelined requests is dropped.',
    edits: [
      {
        file: 'apps/server/src/http/pipelining.ts',
        find: 'ofConnection >= limits.perConnection',
        replace: 'ofConnection >= 1',
      },
    ],
  },
  {
    requirements: [37],
    change: 'An unavailable database is answered 500.',
    edits: [
      { file: FAULTS, find: 'if (fault instanceof UnavailableFault) {', replace: 'if (fault === null) {' },
    ],
  },
  {
    requirements: [37],
    change: 'The response to an error has its message.',
    edits: [
      {
        file: FAULTS,
        find: '  return INTERNAL_ERROR;',
        replace: '  return { ...INTERNAL_ERROR, body: String(fault) };',
      },
    ],
  },
  {
    requirements: [38],
    change: 'If the record cannot be read, the claims decide.',
    edits: [
      {
        file: 'packages/domain/src/tokens/authentication/decide-on-token.ts',
        find: 'const record = await tokens.findRecord(claims.tokenId, claims.subject);',
        replace:
          "const record = await Promise.resolve(tokens.findRecord(claims.tokenId)).catch(() => ({ ...claims, id: claims.tokenId, keyId, format: key.format, createdAt: claims.issuedAt, scopes: ['*'], accountId: 1, userId: claims.subject, revocation: null, user: { id: claims.subject, role: 'admin', disabledAt: null }, account: { id: 1, suspendedAt: null }, keyState: 'active' }) as never);",
      },
    ],
  },
  {
    requirements: [38],
    change: 'An error during a check allows the request.',
    edits: [
      {
        file: FAULTS,
        find: '  return INTERNAL_ERROR;',
        replace: "  return { ...INTERNAL_ERROR, status: 200, body: '{}' };",
      },
      {
        file: FAULTS,
        find: '    return UNAVAILABLE;',
        replace: '    return { ...UNAVAILABLE, status: 200 };',
      },
    ],
  },
  {
    requirements: [40],
    change: 'Slow requests are not cut off.',
    edits: [
      {
        file: HTTP_SERVER,
        find: 'headersTimeout: timeLimits.headers,\n      requestTimeout: timeLimits.request,',
        replace: 'headersTimeout: 0,\n      requestTimeout: 0,',
      },
    ],
  },
  {
    requirements: [40],
    change: 'Unparsable requests are not answered.',
    edits: [
      {
        file: HTTP_SERVER,
        find: "node.on('clientError', answerParseError);",
        replace: "node.on('clientError', () => {});",
      },
    ],
  },
];
