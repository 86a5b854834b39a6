type Payload = Readonly<Record<string, unknown>>;
type Forgery = readonly [difference: string, payload: Uint8Array];

const REQUIRED = ['iss', 'aud', 'sub', 'jti', 'iat', 'kind'];
const FREE_TEXT = ['iss', 'aud'];

/**
 * Payloads that differ from a genuine one in something that a verifier might overlook, each with a description of
 * the difference. All of them must be refused, even signed by the right key.
 */
export function forgedPayloads(genuine: string): readonly Forgery[] {
  const payload: Payload = JSON.parse(genuine);
  const texts: Record<string, string> = {
    ...missingMembers(payload),
    ...wrongValues(payload),
    ...repeatedMembers(genuine, payload),
    ...furtherMembers(genuine),
    ...otherSpellings(genuine, payload),
    ...noObjects(genuine),
  };
  return [
    ...Object.entries(texts).map(([difference, text]): Forgery => [difference, Buffer.from(text)]),
    ...wrongBytes(genuine),
  ];
}

function missingMembers(payload: Payload): Record<string, string> {
  return Object.fromEntries(
    REQUIRED.map((name) => {
      const { [name]: _, ...rest } = payload;
      return [`no ${name}`, JSON.stringify(rest)];
    }),
  );
}

function wrongValues(payload: Payload): Record<string, string> {
  const values = Object.entries(payload).flatMap(([name, right]) => {
    const swapped = typeof right === 'string' ? Number(right) || Date.parse(right) / 1000 : String(right);
    const wrong = [null, true, 1.5, -1, [], [right], {}, { value: right }, swapped];
    const texts = FREE_TEXT.includes(name) ? [] : ['', 'x', `${right} `, ` ${right}`, `${right}\u0000`];
    return [...wrong, ...texts, ...(WRONG_TEXTS[name] ?? [])].map((value) => [name, value] as const);
  });
  const numbers = ['1e400', '-0', '01', 'NaN'].flatMap((number) =>
    Object.keys(payload).map((name) => [name, number] as const),
  );
  return {
    ...Object.fromEntries(
      values.map(([name, value]) => [
        `${name} is ${JSON.stringify(value)}`,
        JSON.stringify({ ...payload, [name]: value }),
      ]),
    ),
    ...Object.fromEntries(
      numbers.map(([name, number]) => [
        `${name} is ${number}`,
        JSON.stringify({ ...payload, [name]: '@' }).replace('"@"', number),
      ]),
    ),
    'exp is null': JSON.stringify({ ...payload, exp: null }),
  };
}

const WRONG_TEXTS: Readonly<Record<string, readonly string[]>> = {
  sub: ['0', '-1', '+7', '07', '7.0', '1e3', '0x7', '٣', '9007199254740992', '1'.repeat(400)],
  jti: ['01999999-89AB-7DEF-8123-456789ABCDEF', '0199999989ab7def8123456789abcdef', '1'],
  kind: ['API', 'signin', 'admin', '__proto__', 'toString'],
};

function repeatedMembers(genuine: string, payload: Payload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) => {
      const again = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
      const other = `${JSON.stringify(name)}:${JSON.stringify(typeof value === 'string' ? `${value}0` : 0)}`;
      return [
        [`${name} twice`, `${genuine.slice(0, -1)},${again}}`],
        [`another ${name} first`, `{${other},${genuine.slice(1)}`],
        [`another ${name} last`, `${genuine.slice(0, -1)},${other}}`],
      ];
    }),
  );
}

function furtherMembers(genuine: string): Record<string, string> {
  const members = ['"nbf":0', '"scope":"*"', '"role":"admin"', '"__proto__":{}', '"":""', '"exp2":null'];
  return Object.fromEntries(
    members.flatMap((member) => [
      [`${member} first`, `{${member},${genuine.slice(1)}`],
      [`${member} last`, `${genuine.slice(0, -1)},${member}}`],
    ]),
  );
}

function otherSpellings(genuine: string, payload: Payload): Record<string, string> {
  return {
    'members in another order': JSON.stringify(Object.fromEntries(Object.entries(payload).reverse())),
    'a space before': ` ${genuine}`,
    'a line feed after': `${genuine}\n`,
    'white space within': JSON.stringify(payload, null, 1),
    'an escaped name': genuine.replace('"iss"', '"\\u0069ss"'),
    'an escaped value': genuine.replace('"gatehouse"', '"g\\u0061tehouse"'),
    'a byte order mark': `\ufeff${genuine}`,
  };
}

function noObjects(genuine: string): Record<string, string> {
  return {
    'nothing at all': '',
    'an empty object': '{}',
    'an empty array': '[]',
    'an array of the claims': `[${genuine}]`,
    'an object around the claims': `{"claims":${genuine}}`,
    'a text': JSON.stringify(genuine),
    null: 'null',
    'a number': '1',
    'an unfinished object': genuine.slice(0, -1),
    'two objects': genuine + genuine,
    'a deep array': '['.repeat(1_000),
  };
}

function wrongBytes(genuine: string): readonly Forgery[] {
  const bytes = Buffer.from(genuine);
  const issuer = genuine.indexOf('gatehouse');
  const inIssuer = (...inserted: readonly number[]) =>
    Buffer.concat([bytes.subarray(0, issuer), Uint8Array.from(inserted), bytes.subarray(issuer)]);
  return [
    ['a byte that is no UTF-8', inIssuer(0xff)],
    ['an overlong character', inIssuer(0xc0, 0xaf)],
    ['a surrogate in UTF-8', inIssuer(0xed, 0xa0, 0x80)],
    ['an unfinished character', Buffer.concat([bytes, Uint8Array.of(0xe2, 0x82)])],
    ['a NUL after', Buffer.concat([bytes, Uint8Array.of(0)])],
    ['UTF-16', Buffer.from(genuine, 'utf16le')],
  ];
}
