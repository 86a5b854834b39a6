import { ok, type Result } from '@gatehouse/domain';
import { z } from 'zod';

/** The number of items on a page: its limits, and the default. */
const PAGE_SIZE = { min: 1, max: 100, otherwise: 50 };

/** A schema for a whole number in decimal digits, as in a query parameter. */
function wholeNumber({ min, max, otherwise }: typeof PAGE_SIZE) {
  return z
    .string()
    .transform((text, context) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= min && value <= max) return value;
      context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` });
      return z.NEVER;
    })
    .default(otherwise)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** A cursor that a client sends back. It is opaque to clients, and contains the key of the previous page's last item. */
function cursorOf<Key extends z.ZodType>(key: Key) {
  return z.string().transform((text, context): z.output<Key> => {
    const parsed = key.safeParse(decoded(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
    return z.NEVER;
  });
}

/** The query parameters of a paged list. `cursor` is the key of the previous page's last item. */
export function pageQuery<Key extends z.ZodType>(key: Key) {
  return {
    limit: wholeNumber(PAGE_SIZE),
    cursor: cursorOf(key)
      .optional()
      .meta({ description: '`next_cursor` of the page before; none for the first page.' }),
  };
}

/** The response of a paged list. `next_cursor` is null on the last page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() });
}

/** A page of items. */
export interface Page<Thing> {
  readonly things: readonly Thing[];
  /** The cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * Creates a page from `limit + 1` items in the order of their keys. The additional item shows that there is another
 * page.
 */
export function toPage<Thing>(
  read: readonly Thing[],
  limit: number,
  keyOf: (thing: Thing) => unknown,
): Page<Thing> {
  const things = read.slice(0, limit);
  const last = things.at(-1);
  const hasMore = read.length > limit && last !== undefined;
  return { things, nextCursor: hasMore ? encoded(keyOf(last)) : null };
}

/** Creates a page from the result of a use case, like `toPage`. Returns an error unchanged. */
export function pageResult<Thing, E>(
  read: Result<readonly Thing[], E>,
  limit: number,
  keyOf: (thing: Thing) => unknown,
): Result<Page<Thing>, E> {
  return read.ok ? ok(toPage(read.value, limit, keyOf)) : read;
}

function encoded(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
