import fc from 'fast-check';

type Lines = readonly string[];

/** Lines that an attacker may have. */
export interface LinePool {
  /** The genuine export. */
  readonly lines: Lines;
  /** Lines of its seals after their events were pruned. */
  readonly pruned: Lines;
  /** Lines that are no part of it, such as those of another installation. */
  readonly foreign: Lines;
}

/** Changes lines. An earlier change may have made any of them unreadable. */
export type Tampering = (lines: string[], pool: LinePool) => void;

/** A place among any number of things: doubles would be near 0 most of the time, and so at the first one. */
const place = fc.nat(1_000_003);
const at = (where: number, { length }: ArrayLike<unknown>) => (length === 0 ? 0 : where % length);
const values = fc.oneof(
  fc.constantFrom(null, true, 0, 1, '', 'x', [], {}, [[1, 9]], '2026-01-01T00:00:00.000Z', '1'),
  fc.integer(),
  fc.string({ maxLength: 5 }),
);
const members = fc.constantFrom(
  ...[
    'position',
    'id',
    'at',
    'actor',
    'origin',
    'action',
    'subject',
    'account_id',
    'details',
    'first',
    'last',
  ],
  ...[
    'ids',
    'through_id',
    'digest',
    'sealed_at',
    'previous',
    'mac',
    'pruned_at',
    'pruned_mac',
    'line_hashes',
    'seal',
    'x',
  ],
);

/** Changes the members of a line, or of the seal in it. */
function inLine(line: string, change: (members: Record<string, unknown>) => void): string {
  const value = JSON.parse(line);
  const inner = [value?.seal, value].find((each) => typeof each === 'object' && each !== null);
  if (inner) change(inner);
  return JSON.stringify(value);
}

const changes: fc.Arbitrary<Tampering> = fc.oneof(
  fc.tuple(place, place, fc.constantFrom('0', '1', 'a', '"', ' ', ',', '\\', 'é')).map(
    ([where, column, by]): Tampering =>
      (lines) => {
        const index = at(where, lines);
        const line = lines[index] ?? '';
        const start = at(column, line);
        lines[index] = line.slice(0, start) + by + line.slice(start + 1);
      },
  ),
  fc.tuple(place, members, values).map(
    ([where, member, value]): Tampering =>
      (lines) => {
        const index = at(where, lines);
        lines[index] = inLine(lines[index] ?? '{}', (each) => {
          each[member] = value;
        });
      },
  ),
  fc.tuple(place, members).map(
    ([where, member]): Tampering =>
      (lines) => {
        const index = at(where, lines);
        lines[index] = inLine(lines[index] ?? '{}', (each) => {
          delete each[member];
        });
      },
  ),
  // A member of another line, such as its MAC.
  fc.tuple(place, place, members).map(
    ([where, from, member]): Tampering =>
      (lines, { lines: all, pruned, foreign }) => {
        const index = at(where, lines);
        const pool = [...all, ...pruned, ...foreign];
        const other = JSON.parse(pool[at(from, pool)] ?? '{}');
        lines[index] = inLine(lines[index] ?? '{}', (each) => {
          each[member] = (other.seal ?? other)[member];
        });
      },
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 6 })).map(
    ([where, count]): Tampering =>
      (lines) =>
        void lines.splice(at(where, lines), count),
  ),
  fc.tuple(place, place).map(
    ([from, to]): Tampering =>
      (lines) => {
        const [line = ''] = lines.splice(at(from, lines), 1);
        lines.splice(at(to, lines), 0, line);
      },
  ),
  fc.tuple(place, place, fc.integer({ min: 1, max: 4 })).map(
    ([from, to, count]): Tampering =>
      (lines) => {
        const start = at(from, lines);
        lines.splice(at(to, [...lines, '']), 0, ...lines.slice(start, start + count));
      },
  ),
  // Whole seals with their events are removed, repeated or moved.
  fc.tuple(place, place, fc.nat(2), fc.boolean()).map(
    ([from, to, gone, stays]): Tampering =>
      (lines) => {
        const batches: string[][] = [[]];
        for (const line of lines) {
          batches.at(-1)?.push(line);
          if (line.startsWith('{"seal"')) batches.push([]);
        }
        const taken = batches.splice(at(from, batches), gone);
        if (stays) batches.splice(at(to, [...batches, '']), 0, ...taken);
        lines.splice(0, lines.length, ...batches.flat());
      },
  ),
  // Lines from elsewhere, in the place of others.
  fc.tuple(place, place, fc.nat(4), fc.integer({ min: 1, max: 4 })).map(
    ([from, to, gone, count]): Tampering =>
      (lines, { lines: all, pruned, foreign }) => {
        const pool = [...all, ...pruned, ...foreign];
        const start = at(from, pool);
        lines.splice(at(to, [...lines, '']), gone, ...pool.slice(start, start + count));
      },
  ),
  // Events are taken out, and their seal says that they were pruned.
  fc.tuple(place, fc.constantFrom('', ',"pruned_mac":"x"'), fc.boolean()).map(
    ([where, mac, takesMac]): Tampering =>
      (lines, { pruned }) => {
        const seals = lines.flatMap((line, index) => (line.startsWith('{"seal"') ? index : []));
        const end = seals[at(where, seals)];
        if (end === undefined) return;
        const begin = (seals[seals.indexOf(end) - 1] ?? -1) + 1;
        const another = /,"pruned_mac":"[^"]+"/.exec(pruned[0] ?? '')?.[0] ?? '';
        const said = `,"pruned_at":"2026-01-01T00:06:00.000Z"${takesMac ? another : mac}}}`;
        lines.splice(begin, end - begin + 1, (lines[end] ?? '').replace(/\}\}$/, said));
      },
  ),
  // The seal of events that never were, in the place of all lines before.
  fc.tuple(place, fc.boolean(), fc.boolean()).map(
    ([where, isPruned, follows]): Tampering =>
      (lines) => {
        const end = at(where, lines);
        const next = lines.slice(end).flatMap((line) => JSON.parse(line).seal ?? [])[0];
        const last = Math.max(1, (JSON.parse(lines[end] ?? '{}').position ?? 2) - 1);
        const seal = {
          ...{
            first: 1,
            last,
            ids: [[1, last]],
            through_id: last,
            digest: 'x',
            sealed_at: '2026-01-01T00:00:00.000Z',
          },
          ...{ previous: '', mac: (follows && next?.previous) || 'x' },
          ...(isPruned && { pruned_at: '2026-01-01T00:06:00.000Z' }),
        };
        lines.splice(0, end, JSON.stringify({ seal }));
      },
  ),
);

/** One to three changes of any kind. */
export const tamperings = fc.array(changes, { minLength: 1, maxLength: 3 });

/** Applies the changes, as far as they can be. */
export function tampered(given: Lines, all: readonly Tampering[], pool: LinePool): Lines {
  const lines = [...given];
  for (const change of all) {
    try {
      change(lines, pool);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return lines;
}
