import { type Instant, LAST_INSTANT } from '@gatehouse/domain/time';
import { parseTokenId, type TokenId, type UsageCounts } from '@gatehouse/domain/tokens';
import { z } from 'zod';
import { parseJson } from '../database/statements/parse-json.ts';

/** The channel on which usage recorders send the counts that they store. */
export const USAGE_CHANNEL = 'gatehouse_usage';

/** The largest size of a notification, below PostgreSQL's limit of 8000 bytes. */
const PAYLOAD_BYTES = 7500;

// Every property is validated, because any role that may connect to the database can send notifications.
const count = z.int().nonnegative();
// Accepts unknown reasons, which newer versions send.
const reason = z
  .string()
  .regex(/^[a-z_]{1,64}$/)
  .refine((name) => !(name in {}), 'is inherited by every object');
const notification = z.object({
  v: z.literal(1),
  usage: z.array(
    z.object({
      id: z.string().refine((text) => parseTokenId(text) !== undefined),
      uses: count,
      refusals: z.record(reason, count).default({}),
      at: z.int().nonnegative().max(LAST_INSTANT),
    }),
  ),
});

/** Returns notifications that together contain all counts, as many in each notification as fit. */
export function usageNotifications(counts: Iterable<UsageCounts>): string[] {
  const notifications: string[] = [];
  let told: string[] = [];
  let length = 0;
  const close = () => {
    if (told.length > 0) notifications.push(`{"v":1,"usage":[${told.join()}]}`);
    told = [];
    length = 0;
  };
  for (const { tokenId: id, uses, refusals, at } of counts) {
    // Ids and reasons are ASCII, so each character is one byte.
    const text = JSON.stringify(isEmpty(refusals) ? { id, uses, at } : { id, uses, refusals, at });
    if (length + text.length > PAYLOAD_BYTES - 100) close();
    told.push(text);
    length += text.length + 1;
  }
  close();
  return notifications;
}

/** Parses a notification; undefined if it is invalid. */
export function parseUsageNotification(payload: string): readonly UsageCounts[] | undefined {
  const { data } = notification.safeParse(parseJson(payload));
  return data?.usage.map(({ id, at, ...counts }) => ({
    tokenId: id as TokenId,
    ...counts,
    at: at as Instant,
  }));
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
