import { parseArgs } from 'node:util';
import type { LargeSize } from './population/large/bulk-load.ts';

export const PARTS = [
  'comparison',
  'cold',
  'growth',
  'workers',
  'commands',
  'revocation',
  'pages',
  'extensions',
  'networks',
  'reactions',
  'fleet',
  'growth-large',
  'memory',
  'verifier-cost',
  'verifier-revocation',
  'verifier-streams',
  'verifier-all',
] as const;
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
  /** The rounds of short commands: they differ by a fifth. */
  readonly shortCommands: number;
  readonly revocations: number;
  /** For many workers: their numbers, and the rounds, and the seconds of requests and the sign-ins in each. */
  readonly workers: {
    readonly counts: readonly number[];
    readonly rounds: number;
    readonly seconds: number;
    readonly signIns: number;
    readonly revocations: number;
  };
  /** For the fleet: the numbers of nodes, the revocations with each number, and how long each figure is measured. */
  readonly fleet: {
    readonly nodes: readonly number[];
    readonly revocations: number;
    readonly seconds: number;
  };
  /** Of very many stored. */
  readonly large: LargeSize;
  /** The tokens that one server keeps in memory. */
  readonly memory: number;
  /** For the verifier: the tokens that it remembers, the rounds in which it checks them, and pairs of services. */
  readonly verifier: {
    readonly tokens: number;
    readonly checkRounds: number;
    readonly pairs: number;
    /** The rounds in which services that check in different ways are loaded. */
    readonly rounds: number;
    /** Those that follow the servers, and the tokens that are revoked. */
    readonly verifiers: number;
    readonly revocations: number;
    /** The streams that are open together, and the rounds in which they are opened. */
    readonly streams: number;
    readonly streamRounds: number;
    /**
     * The tokens that each verifier remembers when everything changes, the changes, and the seconds before and after.
     */
    readonly held: number;
    readonly changeRounds: number;
    readonly changeSeconds: number;
  };
}

export interface Options {
  /** A folder that keeps what `growth-large` stores for the next run. */
  readonly keep?: string;
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
  shortCommands: 40,
  revocations: 1_000,
  workers: { counts: [1, 2, 4, 8, 12], rounds: 5, seconds: 2, signIns: 600, revocations: 25 },
  fleet: { nodes: [1, 10, 50, 100], revocations: 200, seconds: 5 },
  large: { tokens: 10_000_000, eventsPerToken: 5 },
  memory: 1_000_000,
  verifier: {
    tokens: 10_000,
    checkRounds: 40,
    pairs: 6,
    rounds: 9,
    verifiers: 100,
    revocations: 200,
    streams: 1_000,
    streamRounds: 7,
    held: 10_000,
    changeRounds: 2,
    changeSeconds: 5,
  },
};

/** Shows within a minute that everything works; its figures mean little. */
const QUICK: Effort = {
  rounds: 2,
  seconds: 0.5,
  stored: [1_000, 2_000, 3_000],
  inUse: [1, 10, 1_000],
  shortCommands: 3,
  revocations: 20,
  workers: { counts: [1, 2, 4, 8, 12], rounds: 1, seconds: 2, signIns: 100, revocations: 5 },
  fleet: { nodes: [1, 5], revocations: 10, seconds: 1 },
  large: { tokens: 100_000, eventsPerToken: 5 },
  memory: 2_000,
  verifier: {
    tokens: 1_000,
    checkRounds: 20,
    pairs: 2,
    rounds: 2,
    verifiers: 10,
    revocations: 10,
    streams: 200,
    streamRounds: 2,
    held: 1_000,
    changeRounds: 2,
    changeSeconds: 2,
  },
};

export const USAGE = `npm run bench -- [--comparison] [--cold] [--growth] [--workers] [--commands] [--revocation] [--pages] [--extensions] [--networks] [--reactions] [--fleet] [--growth-large [--tokens COUNT] [--keep FOLDER]] [--memory] [--verifier] [--verifier-cost] [--verifier-revocation] [--verifier-streams] [--verifier-all] [--quick] [--out FOLDER]

  --comparison    one request, side by side with the alternatives (the default)
  --cold          tokens never seen, as more is stored
  --growth        the cost with more stored, more in use and more at once
  --workers       requests, sign-ins and memory of several worker processes
  --commands      the CPU of short commands, beside Node alone
  --revocation    how long a revoked token is still accepted
  --pages         what each page reads of the database, as more is stored
  --extensions    what extensions cost requests that do not use them
  --networks      what the networks of tokens cost the look-up of a known token
  --reactions     look-ups while the same server delivers audit events
  --fleet         how many nodes one database serves, and how fast all of them hear of a revocation
  --growth-large  look-ups, commands, pages and a migration with ten million tokens stored
  --tokens COUNT  store this many instead
  --keep FOLDER   keep them in that folder, and use them again in the next run
  --memory        the memory of a server that keeps a million tokens
  --verifier      services that verify tokens: all parts that begin so
  --verifier-cost what it costs a service, beside other ways to check tokens
  --verifier-revocation
                  how long a revoked token is still accepted by services
  --verifier-streams
                  what streams of changes cost a server
  --verifier-all  look-ups of others while services ask again about everything
  --quick         measure little, only to see that it works
  --out FOLDER    write benchmarks.md and its charts there (docs/develop)`;

/** Parses the command's arguments; throws a TypeError if they are invalid. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      comparison: { type: 'boolean' },
      cold: { type: 'boolean' },
      growth: { type: 'boolean' },
      workers: { type: 'boolean' },
      commands: { type: 'boolean' },
      revocation: { type: 'boolean' },
      pages: { type: 'boolean' },
      extensions: { type: 'boolean' },
      networks: { type: 'boolean' },
      reactions: { type: 'boolean' },
      fleet: { type: 'boolean' },
      'growth-large': { type: 'boolean' },
      memory: { type: 'boolean' },
      verifier: { type: 'boolean' },
      'verifier-cost': { type: 'boolean' },
      'verifier-revocation': { type: 'boolean' },
      'verifier-streams': { type: 'boolean' },
      'verifier-all': { type: 'boolean' },
      tokens: { type: 'string' },
      keep: { type: 'string' },
      quick: { type: 'boolean' },
      out: { type: 'string', default: 'docs/develop' },
    },
  });
  const chosen = PARTS.filter((part) => values[part] || (values.verifier && part.startsWith('verifier-')));
  const effort = values.quick ? QUICK : FULL;
  const tokens = values.tokens === undefined ? effort.large.tokens : Number(values.tokens);
  if (!Number.isSafeInteger(tokens) || tokens < 100_000) {
    throw new TypeError('--tokens takes a number from 100000');
  }
  return {
    parts: chosen.length > 0 ? chosen : ['comparison'],
    effort: { ...effort, large: { ...effort.large, tokens } },
    out: values.out,
    ...(values.keep !== undefined && { keep: values.keep }),
  };
}
