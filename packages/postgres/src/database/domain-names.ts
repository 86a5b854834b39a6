import { formatInstantOrNull, type Instant } from '@gatehouse/domain/time';
import type { NullableTimestamp, Timestamp } from '@gatehouse/extension-kit/postgres';
import type { GeneratedAlways } from 'kysely';

/*
 * A column has the name of the domain's property in snake case: `createdAt` is stored as `created_at`. Properties whose
 * names end in `At` are instants, and columns of type timestamptz.
 */

type ColumnName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : '';

const columnName = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns that store these members. */
export type Stored<Members> = {
  -readonly [Name in keyof Members as ColumnName<Name & string>]: Name extends `${string}At`
    ? null extends Members[Name]
      ? NullableTimestamp
      : Timestamp
    : Members[Name];
};

/** The columns that store these members, in a table whose rows the database numbers. */
export type Numbered<Members extends { readonly id: unknown }> = Stored<Omit<Members, 'id'>> & {
  id: GeneratedAlways<Members['id']>;
};

/** Selects columns under the domain's names: `createdAt` is `created_at as createdAt`. */
export function selected<const Names extends readonly string[]>(...names: Names) {
  type Selected<Name extends string> = `${ColumnName<Name>} as ${Name}`;
  return names.map((name) => `${columnName(name)} as ${name}`) as {
    readonly [Index in keyof Names]: Selected<Names[Index]>;
  };
}

/** The values of columns that store these members. */
type Row<Members> = {
  [Name in keyof Members as ColumnName<Name & string>]: Name extends `${string}At`
    ? string | Extract<Members[Name], null>
    : Members[Name];
};

/** Returns the values of columns that store these members. */
export function rowOf<Members extends object>(members: Members): Row<Members> {
  const columns = Object.entries(members).map(([name, value]) => [
    columnName(name),
    name.endsWith('At') ? formatInstantOrNull(value as Instant | null) : value,
  ]);
  return Object.fromEntries(columns);
}
