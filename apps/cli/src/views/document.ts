import { formatInstant, type Instant } from '@gatehouse/domain/time';

/** Matches the names of members whose values are times. */
const TIME = /^(at|since)$|At$/;

/** Returns some members of an item for programs: names in snake case, times as in RFC 3339. */
export function documentOf<T extends object>(item: T, ...names: readonly (keyof T & string)[]): object {
  const members = names.map((name) => {
    const value: unknown = item[name];
    const isTime = TIME.test(name) && typeof value === 'number';
    return [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isTime ? formatInstant(value as Instant) : value,
    ];
  });
  return Object.fromEntries(members);
}
