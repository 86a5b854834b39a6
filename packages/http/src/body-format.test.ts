import { describe, expect, test, vi } from 'vitest';
import { MULTIPART, multipart } from '../testing/index.ts';
import { bodyFormat, MAX_BODY_FIELDS } from './body-format.ts';

const FORM = 'application/x-www-form-urlencoded';

const LIMIT = 256;

const parse = (type: string, body: string | Uint8Array) => bodyFormat(type)?.(Buffer.from(body));

describe('a content type', () => {
  test(`of ${LIMIT} characters is read, a longer one is not`, () => {
    const type = 'application/json; v=';
    expect(bodyFormat(type.padEnd(LIMIT, 'x'))).toBeDefined();
    expect(bodyFormat(type.padEnd(LIMIT + 1, 'x'))).toBeUndefined();
  });

  test('that a parser takes quadratic time for is refused at once', () => {
    const hostile = [
      `application/json;${' '.repeat(15_000)}a`,
      `application/json${' '.repeat(15_000)}a`,
      `${' '.repeat(15_000)}a`,
      `application/json;a=${' '.repeat(15_000)}a`,
    ];
    const before = process.cpuUsage();
    for (let round = 0; round < 50; round += 1) {
      for (const type of hostile) expect(bodyFormat(type)).toBeUndefined();
    }
    // Parsing 50 of the first alone takes some 20 s.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});

describe('the fields of a body', () => {
  const form = (count: number, more = '') =>
    parse(FORM, Array.from({ length: count }, (_, index) => `f${index}=v`).join('&') + more);
  const parts = (count: number) =>
    parse(
      MULTIPART,
      multipart(
        ...Array.from({ length: count }, (_, index) => [`name="f${index}"`, 'v'] as [string, string]),
      ),
    );

  test.each([
    ['a form', form],
    ['multipart form data', parts],
  ])('of %s are read up to the limit, and refused beyond it', (_, read) => {
    const read16 = read(MAX_BODY_FIELDS);
    expect(read16).toMatchObject({ ok: true });
    expect(Object.keys((read16 as { value: object }).value)).toHaveLength(MAX_BODY_FIELDS);
    expect(read(MAX_BODY_FIELDS + 1)).toEqual({ ok: false, error: { code: 'malformed_body' } });
  });

  test('that are repeated count each time, empty ones do not', () => {
    expect(parse(FORM, 'a=b&'.repeat(MAX_BODY_FIELDS + 1))).toMatchObject({ ok: false });
    expect(form(MAX_BODY_FIELDS, '&'.repeat(1_000))).toMatchObject({ ok: true });
  });

  test('beyond the limit are not parsed', () => {
    const before = process.cpuUsage();
    const part = '--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n';
    for (let round = 0; round < 1_000; round += 1) {
      expect(parse(FORM, '&a'.repeat(8_190))?.ok).toBe(false);
      expect(parse('multipart/form-data; boundary=b', `${part.repeat(330)}--b--\r\n`)?.ok).toBe(false);
    }
    // Parsed, they take some 10 s.
    expect(process.cpuUsage(before).user).toBeLessThan(2_500_000);
  });

  test.each([
    ['a name', 'filename="x"'],
    ['an encoded name', "filename*=utf-8''x"],
    ['a name in an unknown charset', "filename*=u''%41"],
    ['a name that is no encoding', "filename*=utf-8''%"],
  ])('of a file with %s are its bytes, and nothing is written', (_, filename) => {
    const written = ['log', 'warn', 'error'].map((method) => vi.spyOn(console, method as 'log'));
    const parsed = parse(MULTIPART, multipart([`name="a"; ${filename}`, 'v'], ['name="b"', 'w']));
    expect(parsed).toEqual({ ok: true, value: { a: Uint8Array.from([118]), b: 'w' } });
    for (const method of written) expect(method).not.toHaveBeenCalled();
  });

  test('have 8 parameters at most in multipart form data, and others are not parsed', () => {
    const parts = (more: string) =>
      Array.from({ length: 16 }, () => [`name="a"${more}`, 'v'] as [string, string]);
    expect(parse(MULTIPART, multipart(...parts(';a=b'.repeat(7))))).toMatchObject({ ok: true });
    const hostile = multipart(...parts(';a=b'.repeat(45)));
    const before = process.cpuUsage();
    for (let round = 0; round < 2_000; round += 1) expect(parse(MULTIPART, hostile)?.ok).toBe(false);
    // Parsed, they take some 2 s.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  test('have 256 bytes of headers at most in multipart form data', () => {
    const part = (more: string) => parse(MULTIPART, multipart([`name="a"; x=${more}`, 'v']));
    const shortest = 'Content-Disposition: form-data; name="a"; x='.length;
    expect(part('x'.repeat(256 - shortest))).toMatchObject({ ok: true });
    expect(part('x'.repeat(257 - shortest))).toMatchObject({ ok: false });
  });
});
