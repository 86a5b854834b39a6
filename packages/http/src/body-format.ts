import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { err, ok, type Result } from '@gatehouse/domain';
import { parseMultipart } from '@remix-run/multipart-parser';
import { splitOnce } from './request-target.ts';

/**
 * The error for a body that does not have the format of its content type, or has more than `MAX_BODY_FIELDS` fields.
 */
interface MalformedBody {
  readonly code: 'malformed_body';
}

/** Reads a body of one content type. If a field is repeated, its last value is used, unless repeated fields are refused. */
type BodyFormat = (bytes: Uint8Array) => Result<unknown, MalformedBody>;

/**
 * The maximum length of a content type, in characters. It is limited because the time of Node's parser grows with the
 * square of the length. The longest part of a content type is the boundary, with at most 70 characters (RFC 2046
 * section 5.1.1).
 */
const MAX_CONTENT_TYPE_LENGTH = 256;

/**
 * The largest number of fields of a form, or of parts of multipart form data. A body with more of them is malformed.
 */
export const MAX_BODY_FIELDS = 16;

/**
 * The largest number of fields of a form on a web page. It is greater than `MAX_BODY_FIELDS`, because each checked box
 * is a field, and a service can have 100 scopes.
 */
const MAX_PAGE_FORM_FIELDS = 256;

/**
 * The largest size of the headers of one part of multipart form data, in bytes. It is limited because the parser reads
 * the headers several times.
 */
const MAX_PART_HEADERS_SIZE = 256;

const FORM_TYPE = 'application/x-www-form-urlencoded';

type Field = readonly [name: string, value: unknown];

const FORMATS: Readonly<
  Record<
    string,
    (bytes: Uint8Array, type: MIMEType, objectOf: (fields: Iterable<Field>) => object) => unknown
  >
> = {
  'application/json': (bytes) => JSON.parse(decode(bytes, false)),
  [FORM_TYPE]: (bytes, _, objectOf) => objectOf(formFields(decode(bytes, true))),
  'multipart/form-data': (bytes, type, objectOf) => objectOf(multipartFields(bytes, type)),
};

/** Returns an object with these fields. Throws if a field is repeated. */
function objectOfUnique(fields: Iterable<Field>): object {
  const all = [...fields];
  const object = Object.fromEntries(all);
  if (Object.keys(object).length < all.length) throw new TypeError('a repeated field');
  return object;
}

/**
 * Returns the function that parses bodies with this `Content-Type`; undefined if the type is not supported.
 *
 * @param refusesRepeated whether a repeated field makes a body malformed (RFC 6749 section 3.2)
 */
export function bodyFormat(
  contentType: string | undefined,
  { refusesRepeated = false } = {},
): BodyFormat | undefined {
  const type = parseType(contentType);
  const parse = type && Object.hasOwn(FORMATS, type.essence) ? FORMATS[type.essence] : undefined;
  if (!type || !parse || !isUtf8(type)) return undefined;
  return (bytes) => {
    try {
      return ok(parse(bytes, type, refusesRepeated ? objectOfUnique : Object.fromEntries));
    } catch {
      // A parser throws only if the bytes are malformed.
      return err({ code: 'malformed_body' });
    }
  };
}

/**
 * Whether the headers of a request declare its body as an HTML form in UTF-8, without compression, as browsers send it.
 */
export function isPlainForm({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const type = parseType(headers['content-type']);
  return type?.essence === FORM_TYPE && isUtf8(type) && isUncompressed({ headers });
}

/** Whether the headers declare no compression of the body. */
export function isUncompressed({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-encoding': encoding, 'transfer-encoding': transfer } = headers;
  return isOrAbsent('identity', encoding) && isOrAbsent('chunked', transfer);
}

function isOrAbsent(expected: string, field: string | undefined): boolean {
  return field === undefined || field.trim().toLowerCase() === expected;
}

function parseType(contentType = ''): MIMEType | undefined {
  if (contentType.length > MAX_CONTENT_TYPE_LENGTH) return undefined;
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

function isUtf8({ params }: MIMEType): boolean {
  return /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
}

/**
 * Decodes UTF-8, and throws if the bytes are invalid. With `ignoreBOM`, a byte order mark at the beginning is kept as a
 * character; otherwise it is removed.
 */
function decode(bytes: Uint8Array, ignoreBOM: boolean): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
}

/**
 * Parses the fields of a form on a web page. Several fields may have the same name. Undefined if the bytes are not a
 * valid form, or contain more than `MAX_PAGE_FORM_FIELDS` fields.
 */
export function parseForm(
  bytes: Uint8Array,
): readonly (readonly [name: string, value: string])[] | undefined {
  try {
    return [...formFields(decode(bytes, true), MAX_PAGE_FORM_FIELDS)];
  } catch {
    return undefined;
  }
}

function* formFields(text: string, most = MAX_BODY_FIELDS): Generator<readonly [string, string]> {
  let fields = 0;
  for (const [pair] of text.matchAll(/[^&]+/g)) {
    fields += 1;
    if (fields > most) throw new TypeError('too many fields');
    const [name, value] = splitOnce(pair);
    yield [decodeField(name), decodeField(value)];
  }
}

/**
 * Decodes a field of a form. Throws if the text is not percent-encoded UTF-8, where `URLSearchParams` would insert
 * replacement characters.
 */
function decodeField(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/**
 * Returns the parts of multipart form data that have a name. The value of a text field is a string; the value of a file
 * is its bytes.
 */
function* multipartFields(bytes: Uint8Array, { params }: MIMEType): Generator<readonly [string, unknown]> {
  const boundary = params.get('boundary');
  if (!boundary) throw new TypeError('no boundary');
  // The parser accepts an empty body as one without parts. By the standard, even a body without parts has to end with a
  // boundary.
  if (bytes.length === 0) throw new TypeError('no end');
  checkDelimiters(bytes, boundary);
  for (const part of parseMultipart(bytes, { boundary, maxHeaderSize: MAX_PART_HEADERS_SIZE })) {
    const { 'content-disposition': disposition, 'content-type': type } = part.headers;
    const parameters = dispositionParameters(disposition);
    const name = parameters.get('name');
    const isFile = FILE_NAMES.some((parameter) => parameters.has(parameter)) || isOctetStream(type);
    if (name !== null) yield [name, isFile ? part.bytes : decode(part.bytes, true)];
  }
}

/** The largest number of parameters of a `Content-Disposition`. No known client sends more. */
const MAX_DISPOSITION_PARAMETERS = 8;

const FILE_NAMES = ['filename', 'filename*'];

const isOctetStream = (type: string | undefined) => parseType(type)?.essence === 'application/octet-stream';

/**
 * Parses the parameters of a part's `Content-Disposition` (RFC 7578 section 4.2), which have the same syntax as the
 * parameters of a content type. The library's own parser is not used: that parser writes to standard error if it cannot
 * decode the name of a file.
 */
function dispositionParameters(disposition: string | undefined): MIMEType['params'] {
  if (disposition && disposition.split(';').length > MAX_DISPOSITION_PARAMETERS + 1) {
    throw new TypeError('too many parameters');
  }
  return new MIMEType(`part/${disposition ?? 'none'}`).params;
}

/**
 * Throws if there are too many parts, or if other text follows a delimiter on its line. A line that begins with a
 * delimiter is a delimiter (RFC 2046 section 5.1.1), and the parser would ignore the rest of that line.
 */
function checkDelimiters(bytes: Uint8Array, boundary: string): void {
  const delimiters = MAX_BODY_FIELDS + 1;
  const text = `\r\n${Buffer.from(bytes).toString('latin1')}`;
  const [, ...behind] = text.split(`\r\n--${boundary}`, delimiters + 2);
  if (behind.length > delimiters) throw new TypeError('too many parts');
  if (!behind.every((rest) => rest.startsWith('\r\n') || rest.startsWith('--'))) {
    throw new TypeError('a delimiter with more behind it');
  }
}
