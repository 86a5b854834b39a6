/** A request that parsers could take for two, with another request in an ambiguous body. */
export interface Attack {
  readonly name: string;
  readonly text: string;
  /** Whether the hidden request is in the body according to RFC 9112, regardless of the rest. */
  readonly isInBody: boolean;
}

/** The ids of the sent request, and of the hidden one. */
export interface AttackIds {
  readonly outer: string;
  readonly inner: string;
}

/** All ways to hide a request. Each is one write. */
export function attacks({ outer, inner }: AttackIds): readonly Attack[] {
  const hidden = `GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${inner}\r\n\r\n`;
  const { length } = hidden;
  const started = (line: string) => `${line}\r\nHost: x\r\nX-Request-Id: ${outer}\r\n`;
  const post = started('POST /api/v1/auth.json HTTP/1.1');
  const json = `${post}Content-Type: application/json\r\n`;
  const chunkedEnd = `0\r\n\r\n${hidden}`;
  const ambiguous = (name: string, text: string): Attack => ({ name, text, isInBody: false });
  const inBody = (name: string, text: string): Attack => ({ name, text, isInBody: true });
  const lengthOf = (written: string) =>
    ambiguous(`a length of ${JSON.stringify(written)}`, `${json}Content-Length: ${written}\r\n\r\n${hidden}`);
  const coding = (line: string) =>
    ambiguous(
      JSON.stringify(line),
      `${json}Content-Length: ${chunkedEnd.length}\r\n${line}\r\n\r\n${chunkedEnd}`,
    );
  const chunk = (size: string) =>
    ambiguous(
      `a chunk of ${JSON.stringify(size)}`,
      `${json}Transfer-Encoding: chunked\r\n\r\n${size}\r\n{}\r\n${chunkedEnd}`,
    );
  const line = (name: string, written: string) =>
    ambiguous(name, `${json}${written}\r\nContent-Length: ${length}\r\n\r\n${hidden}`);

  return [
    ...['Transfer-Encoding: chunked', 'transfer-encoding: Chunked', 'Transfer-Encoding:\tchunked'].map(
      coding,
    ),
    ...[
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: , chunked',
    ].map(coding),
    ...['Transfer-Encoding : chunked', 'Transfer-Encoding:\r\n chunked', ' Transfer-Encoding: chunked'].map(
      coding,
    ),
    ...[
      'Transfer-Encoding: chunked\u000b',
      'Transfer-Encoding: "chunked"',
      'Transfer\u0000-Encoding: chunked',
    ].map(coding),
    ...[
      'X: a\nTransfer-Encoding: chunked',
      'X: a\rTransfer-Encoding: chunked',
      'Transfer_Encoding: chunked',
    ].map(coding),
    ambiguous(
      'chunks, and then a length',
      `${json}Transfer-Encoding: chunked\r\nContent-Length: ${chunkedEnd.length}\r\n\r\n${chunkedEnd}`,
    ),
    ambiguous(
      'two codings',
      `${json}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunkedEnd}`,
    ),
    ambiguous('two lengths', `${json}Content-Length: 0\r\nContent-Length: ${length}\r\n\r\n${hidden}`),
    ambiguous(
      'two lengths, turned around',
      `${json}Content-Length: ${length}\r\nContent-Length: 0\r\n\r\n${hidden}`,
    ),
    ambiguous(
      'two equal lengths',
      `${json}Content-Length: ${length}\r\ncontent-length: ${length}\r\n\r\n${hidden}`,
    ),
    ...[`${length}, ${length}`, `0, ${length}`, `+${length}`, `-${length}`, `0x${length.toString(16)}`].map(
      lengthOf,
    ),
    ...[`${length}.0`, `${length} 0`, `${length}_`, '', '18446744073709551616', `\r\n ${length}`].map(
      lengthOf,
    ),
    ...[
      '0x2',
      '-2',
      '+2',
      '2 ',
      '2;a\nb',
      '02\u0000',
      '10000000000000002',
      'ffffffffffffffffff',
      '2\n',
      '',
    ].map(chunk),
    ambiguous(
      'a chunk that is longer than it says',
      `${json}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n${chunkedEnd}`,
    ),
    ambiguous(
      'a chunk that ends by a line feed',
      `${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\n${chunkedEnd}`,
    ),
    line('obs-fold', 'X: a\r\n b'),
    line('obs-fold by a tab', 'X: a\r\n\tContent-Length: 0'),
    line('a line feed for a line’s end', 'X: a\nContent-Length: 0'),
    line('a carriage return for a line’s end', 'X: a\rContent-Length: 0'),
    line('a line without a colon', 'Content-Length'),
    line('a line without a name', ': 0'),
    line('white space before the colon', 'Content-Length : 0'),
    ambiguous(
      'line feeds everywhere',
      `${json}Content-Length: ${length}\r\n\r\n`.replaceAll('\r\n', '\n') + hidden,
    ),
    ambiguous('a line feed at the end of the head', `${json}Content-Length: ${length}\r\n\n${hidden}`),
    ambiguous(
      'HTTP/1.0 in chunks',
      `${started('POST /api/v1/auth.json HTTP/1.0')}Transfer-Encoding: chunked\r\n\r\n${chunkedEnd}`,
    ),
    ambiguous(
      'a version of its own',
      `${started('POST /api/v1/auth.json HTTP/1.1 HTTP/1.1')}Content-Length: ${length}\r\n\r\n${hidden}`,
    ),
    ambiguous('two hosts', `${json}Host: y\r\nContent-Length: ${length}\r\n\r\n${hidden}`),
    inBody(
      'a body of a type that is not read',
      `${post}Content-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${hidden}`,
    ),
    inBody(
      'a body of GET',
      `${started('GET /openapi.json HTTP/1.1')}Content-Length: ${length}\r\n\r\n${hidden}`,
    ),
    inBody(
      'a chunk of GET',
      `${started('GET /openapi.json HTTP/1.1')}Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    ),
    inBody(
      'a body where nothing is',
      `${started('POST /nope HTTP/1.1')}Content-Length: ${length}\r\n\r\n${hidden}`,
    ),
    inBody(
      'a body of a method that is not allowed',
      `${started('PUT /openapi.json HTTP/1.1')}Content-Length: ${length}\r\n\r\n${hidden}`,
    ),
    inBody(
      'a body of OPTIONS',
      `${started('OPTIONS /api/v1/auth.json HTTP/1.1')}Content-Length: ${length}\r\n\r\n${hidden}`,
    ),
    inBody(
      'a body to be asked for',
      `${json}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n${hidden}`,
    ),
    inBody('a body of which more is announced', `${json}Content-Length: ${length + 10}\r\n\r\n${hidden}`),
    inBody(
      'a body that is too large',
      `${json}Content-Length: ${20_000 + length}\r\n\r\n${' '.repeat(20_000)}${hidden}`,
    ),
    inBody(
      'a trailer',
      `${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: ${hidden.split('\r\n')[0]}\r\nX-Request-Id: ${inner}\r\n\r\n`,
    ),
  ];
}
