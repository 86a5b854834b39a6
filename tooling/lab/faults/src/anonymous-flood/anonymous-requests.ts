import { fetchDocument, type Operation, operationsOf } from '../fuzz/openapi.ts';

/** Texts instead of a token that any client can send; the last one has an unknown key id. */
const GARBAGE = [
  'garbage',
  `${encode({ alg: 'EdDSA', typ: 'JWT', kid: 'unknown' })}.${encode({ sub: 'x' })}.${'A'.repeat(86)}`,
];

/**
 * Returns what any client can send without a token: to every path of the server's OpenAPI document, with each of its
 * methods and the general ones, without a token and with garbage. A new route is included automatically.
 */
export async function anonymousRequests(url: string): Promise<readonly string[]> {
  const operations = operationsOf(await fetchDocument(url));
  return [...operations.flatMap(requestsTo), head('GET', '/nowhere')];
}

function requestsTo({ method, path, bodies }: Operation): readonly string[] {
  const target = path.replaceAll(/\{\w+\}/g, '1');
  const [type] = Object.keys(bodies);
  return [
    head(method, target),
    ...GARBAGE.map((token) => head(method, target, `Authorization: Bearer ${token}\r\n`)),
    head('HEAD', target),
    head('OPTIONS', target, 'Origin: https://elsewhere.example\r\nAccess-Control-Request-Method: GET\r\n'),
    // Not valid: with credentials it would be a sign-in.
    ...(type === undefined
      ? []
      : [`${head(method, target, `Content-Type: ${type}\r\nContent-Length: 2\r\n`)}{}`]),
  ];
}

function head(method: string, target: string, fields = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
