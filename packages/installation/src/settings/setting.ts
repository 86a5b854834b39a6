import type { Result } from '@gatehouse/domain';

/** Parses the text of a setting. A problem continues the setting's name, and never repeats the text: it may be a secret. */
export type ParseText<T> = (text: string) => Result<T, string>;

export interface Setting<T> {
  readonly parse: ParseText<T>;
  /** The value if it is not set. */
  readonly unset: T;
}

/**
 * A kind of setting; the setting itself is optional, or has a default. All that a setting takes is a function of its text: a
 * schema library would take a command longer to load than it takes to read a row.
 */
export function setting<T>(parse: ParseText<T>) {
  return {
    parse,
    optional: (): Setting<T | undefined> => ({ parse, unset: undefined }),
    default: (value: T): Setting<T> => ({ parse, unset: value }),
  };
}
