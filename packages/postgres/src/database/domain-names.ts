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

/** The columns of a table that stores objects with these members. */
export type Stored<Members> = {
  -readonly [Name in keyof Members as ColumnName<Name & string>]: Name extends `${string}At`
    ? null extends Members[Name]
      ? NullableTimestamp
      : Timestamp
    : Members[Name];
};

/** The columns of a table that stores objects with these members, and whose ids the database assigns. */
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

/** The values of the columns for an object with these members; instants are texts. */
type Row<Members> = {
  [Name in keyof Members as ColumnName<Name & string>]: Name extends `${string}At`
    ? string | Extract<Members[Name], null>
    : Members[Name];
};

/** Converts an object to the values of the columns that store its members. */
export function rowOf<Members extends object>(members: Members): Row<Members> {
  const columns = Object.entries(members).map(([name, value]) => [
    columnName(name),
    name.endsWith('At') ? formatInstantOrNull(value as Instant | null) : value,
  ]);
  return Object.fromEntries(columns);
}
