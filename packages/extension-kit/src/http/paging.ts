import { z } from 'zod';
import { wholeNumber } from './parameters.ts';

/** Things of one page, by default and at most. */
const PAGE_SIZE = { min: 1, max: 100, otherwise: 50 };

/** A cursor that a client sent back: opaque to it, and for us the key of the last thing of the page before. */
function cursorOf<Key extends z.ZodType>(key: Key) {
  return z.string().transform((text, context): z.output<Key> => {
    const parsed = key.safeParse(decoded(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
    return z.NEVER;
  });
}

/** The query parameters of a list that is read page after page. `cursor` is the key of the last thing of the page before. */
export function pageQuery<Key extends z.ZodType>(key: Key) {
  return {
    limit: wholeNumber(PAGE_SIZE),
    cursor: cursorOf(key)
      .optional()
      .meta({ description: '`next_cursor` of the page before; none for the first page.' }),
  };
}

/** The answer of such a list. `next_cursor` is null on the last page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() });
}

/** What a use case returns for a page: read one more than `limit`, and this drops it. */
export interface Page<Thing> {
  readonly things: readonly Thing[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * Makes a page of things in the order of their keys, of which `limit + 1` were asked for: the one beyond the limit says
 * that there is another page.
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
