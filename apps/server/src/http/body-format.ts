import { MIMEType } from 'node:util';
import { err, ok, type Result } from '@gatehouse/domain';
import { parseMultipart } from '@remix-run/multipart-parser';

/** The bytes are not what the content type says. */
export interface MalformedBody {
  readonly code: 'malformed_body';
}

/** Reads a body of one content type. Of a repeated member the last counts. */
export type BodyFormat = (bytes: Uint8Array) => Result<unknown, MalformedBody>;

const FORMATS: Readonly<Record<string, (bytes: Uint8Array, type: MIMEType) => unknown>> = {
  'application/json': (bytes) => JSON.parse(decode(bytes)),
  'application/x-www-form-urlencoded': (bytes) => Object.fromEntries(formFields(decodeAll(bytes))),
  'multipart/form-data': (bytes, type) => Object.fromEntries(multipartFields(bytes, type)),
};

/** How to read a body with this `Content-Type`; undefined where it cannot be read. */
export function bodyFormat(contentType: string | undefined): BodyFormat | undefined {
  const type = parseType(contentType);
  const parse = type && Object.hasOwn(FORMATS, type.essence) ? FORMATS[type.essence] : undefined;
  if (!type || !parse || !isUtf8(type)) return undefined;
  return (bytes) => {
    try {
      return ok(parse(bytes, type));
    } catch {
      // Parsers are pure: whatever they throw is about the bytes.
      return err({ code: 'malformed_body' });
    }
  };
}

function parseType(contentType: string | undefined): MIMEType | undefined {
  try {
    return new MIMEType(contentType ?? '');
  } catch {
    return undefined;
  }
}

function isUtf8({ params }: MIMEType): boolean {
  return /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** A byte order mark at the beginning is a character of the value like any other. */
function decodeAll(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function* formFields(text: string): Generator<readonly [string, string]> {
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name = '', ...value] = pair.split('=');
    yield [decodeField(name), decodeField(value.join('='))];
  }
}

/** Throws on what is no percent-encoding of UTF-8, where `URLSearchParams` would put replacement characters. */
function decodeField(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** A file is no text, whatever its name; parts without a name are nobody's. */
function* multipartFields(bytes: Uint8Array, { params }: MIMEType): Generator<readonly [string, unknown]> {
  const boundary = params.get('boundary');
  if (!boundary) throw new TypeError('no boundary');
  // The parser takes nothing at all for no parts; but those end with a boundary, too.
  if (bytes.length === 0) throw new TypeError('no end');
  if (!hasWholeDelimiters(bytes, boundary)) throw new TypeError('a delimiter with more behind it');
  for (const part of parseMultipart(bytes, { boundary })) {
    if (part.name !== undefined) yield [part.name, part.isFile ? part.bytes : decodeAll(part.bytes)];
  }
}

/** A line that begins with a delimiter is one (RFC 2046 section 5.1.1), and the parser skips what follows it. */
function hasWholeDelimiters(bytes: Uint8Array, boundary: string): boolean {
  const [, ...behind] = `\r\n${Buffer.from(bytes).toString('latin1')}`.split(`\r\n--${boundary}`);
  return behind.every((text) => text.startsWith('\r\n') || text.startsWith('--'));
}
