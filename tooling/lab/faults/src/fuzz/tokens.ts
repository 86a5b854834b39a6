import fc from 'fast-check';

/** Tokens that a server knows, by their validity. */
export interface KnownTokens {
  /** Accepted for some requests. */
  readonly good: readonly string[];
  /** Signed but not accepted: expired, revoked or of another account. */
  readonly ended: readonly string[];
}

export interface Authorization {
  /** The values of the header, usually one. */
  readonly fields: readonly string[];
  /** Whether any of them could be accepted. */
  readonly mayBeGood: boolean;
}

/** Texts with the form of a token, in formats that are not ours. */
const FOREIGN_TOKENS = [
  ...['v4.public.', 'v4.local.AAAA', 'v3.public.AAAA', 'v1.public.x', 'eyJhbGciOiJub25lIn0.e30.'],
];

/** Generates values of `Authorization`: valid, nearly valid and invalid ones. */
export function authorizations({ good, ended }: KnownTokens): fc.Arbitrary<Authorization> {
  const isGood = fc.constantFrom(...good).map((token) => field(`Bearer ${token}`, true));
  const isEnded = fc.constantFrom(...ended).map((token) => field(`Bearer ${token}`, false));
  const spelled = fc
    .tuple(
      fc.constantFrom('bearer ', 'BEARER ', 'Bearer  ', 'Bearer\t', 'Bearer', ' Bearer '),
      fc.constantFrom(...good),
    )
    .map(([scheme, token]) => field(`${scheme}${token}`, true));
  const damaged = fc
    .tuple(fc.constantFrom(...good), fc.nat(), fc.nat(5))
    .map(([token, at, how]) => field(`Bearer ${damage(token, at % token.length, how)}`, false));
  const garbage = fc
    .oneof(
      fc.constantFrom(
        ...['Bearer', 'Bearer ', 'Basic YTpi', 'Digest x', '', ' '],
        ...['Bearer a b', 'Bearer a,b', 'Bearer .', 'Bearer ..'],
      ),
      fc.constantFrom(...FOREIGN_TOKENS).map((token) => `Bearer ${token}`),
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((token) => `Bearer ${token}`),
      fc.integer({ min: 1000, max: 17_000 }).map((length) => `Bearer ${'a'.repeat(length)}`),
    )
    .map((value) => field(value, false));
  const twice = fc
    .tuple(isGood, fc.oneof(isGood, garbage))
    .map(([one, other]) => ({ fields: [...one.fields, ...other.fields], mayBeGood: false }));
  const none = fc.constant({ fields: [], mayBeGood: false });
  return fc.oneof(
    { weight: 50, arbitrary: isGood },
    { weight: 8, arbitrary: isEnded },
    { weight: 4, arbitrary: spelled },
    { weight: 12, arbitrary: damaged },
    { weight: 12, arbitrary: garbage },
    { weight: 4, arbitrary: twice },
    { weight: 10, arbitrary: none },
  );
}

const field = (value: string, mayBeGood: boolean): Authorization => ({ fields: [value], mayBeGood });

/** The token with one error. */
function damage(token: string, at: number, how: number): string {
  const [before, character = '', after] = [token.slice(0, at), token[at], token.slice(at + 1)];
  switch (how) {
    case 0:
      return before;
    case 1:
      return before + after;
    case 2:
      return `${before}${character}${character}${after}`;
    case 3:
      return `${token}=`;
    case 4:
      return `${token}.${character}`;
    default:
      return `${before}${character === 'A' ? 'B' : 'A'}${after}`;
  }
}
