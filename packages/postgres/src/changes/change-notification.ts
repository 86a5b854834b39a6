import type { Change } from '@gatehouse/domain/changes';
import { z } from 'zod';
import { parseJson } from '../database/statements/parse-json.ts';

/** The channel on which the triggers of `notify-triggers.ts` report changes. */
export const CHANGE_CHANNEL = 'gatehouse_changes';

/** Reads invalid ids as `*`, which stands for every id, so that no change of a known kind is missed. */
const idsOf = <T>(id: z.ZodType<T>) => z.array(id).or(z.literal('*')).catch('*');

const notification = z.discriminatedUnion('kind', [
  z.object({ v: z.literal(1), kind: z.enum(['token', 'key', 'service']), ids: idsOf(z.string()) }),
  z.object({ v: z.literal(1), kind: z.enum(['user', 'account', 'organization']), ids: idsOf(z.int()) }),
  z.object({ v: z.literal(1), kind: z.literal('membership'), ids: idsOf(z.tuple([z.int(), z.int()])) }),
]);

/** A change of an extension's rows. Its kind is a table, such as `shift_notes.shift_notes`. */
const ofExtension = z.object({
  v: z.literal(1),
  kind: z.string().regex(/^[a-z][a-z0-9_]*\.[^.]+$/),
  ids: idsOf(z.int().or(z.string())),
});

/** Parses a notification; undefined if its version or kind is unknown. */
export function parseChangeNotification(payload: string): readonly Change[] | undefined {
  const json = parseJson(payload);
  const { data } = notification.safeParse(json);
  if (data === undefined) return changesOfExtension(json);
  if (data.ids === '*') return [anyOf(data.kind)];
  if (data.kind === 'membership') {
    return data.ids.map(
      ([organizationId, userId]) => ({ kind: data.kind, organizationId, userId }) as Change,
    );
  }
  // The kind determines the type of the ids.
  return data.ids.map((id) => ({ kind: data.kind, id: id as never }));
}

/**
 * Services are told nothing of organizations and memberships, and no token depends on them. So too many changed
 * memberships do not make every verifier forget everything.
 */
function anyOf(kind: z.infer<typeof notification>['kind']): Change {
  if (kind === 'organization') return { kind: 'organizations' };
  return { kind: kind === 'membership' ? 'memberships' : 'everything' };
}

/** Makes changes of an extension's rows. `*` stands for all rows of that table only. */
function changesOfExtension(json: unknown): readonly Change[] | undefined {
  const { data } = ofExtension.safeParse(json);
  if (data === undefined) return undefined;
  const { kind: table, ids } = data;
  return ids === '*' ? [{ kind: 'rows', table }] : ids.map((id) => ({ kind: 'row', table, id }));
}
