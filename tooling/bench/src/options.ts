import { parseArgs } from 'node:util';

export const PARTS = ['comparison', 'cold', 'growth', 'revocation', 'pages', 'extensions'] as const;
export type Part = (typeof PARTS)[number];

/** How much is measured: more takes longer and is more precise. */
export interface Effort {
  readonly rounds: number;
  /** The duration for each contestant in each round, in seconds. */
  readonly seconds: number;
  /** The numbers of stored tokens and organizations, smallest first. */
  readonly stored: readonly number[];
  /** The numbers of tokens in use, smallest first. */
  readonly inUse: readonly number[];
  readonly revocations: number;
}

export interface Options {
  readonly parts: readonly Part[];
  readonly effort: Effort;
  /** The folder for the document. */
  readonly out: string;
}

const FULL: Effort = {
  rounds: 15,
  seconds: 1,
  stored: [1_000, 100_000, 1_000_000],
  inUse: [1, 1_000, 100_000],
  revocations: 1_000,
};

/** Shows within a minute that everything works; its figures mean little. */
const QUICK: Effort = {
  rounds: 2,
  seconds: 0.5,
  stored: [1_000, 2_000, 3_000],
  inUse: [1, 10, 1_000],
  revocations: 20,
};

export const USAGE = `npm run bench -- [--comparison] [--cold] [--growth] [--revocation] [--pages] [--extensions] [--quick] [--out FOLDER]

  --comparison    one request, side by side with what people would use instead (what runs without any of these)
  --cold          tokens never seen, as more is stored
  --growth        cost as more is stored, in use, and going on
  --revocation    how long a revoked token is still accepted
  --pages         what each page reads of the database, as more is stored
  --extensions    what extensions cost that a request does not ask
  --quick         little of everything: to see that it works
  --out FOLDER    write benchmarks.md and its charts there (docs)`;

/** Parses the command's arguments; throws a TypeError if they are invalid. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      comparison: { type: 'boolean' },
      cold: { type: 'boolean' },
      growth: { type: 'boolean' },
      revocation: { type: 'boolean' },
      pages: { type: 'boolean' },
      extensions: { type: 'boolean' },
      quick: { type: 'boolean' },
      out: { type: 'string', default: 'docs' },
    },
  });
  const chosen = PARTS.filter((part) => values[part]);
  return {
    parts: chosen.length > 0 ? chosen : ['comparison'],
    effort: values.quick ? QUICK : FULL,
    out: values.out,
  };
}
