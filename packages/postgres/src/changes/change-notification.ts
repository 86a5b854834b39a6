import type { AccountId } from '@gatehouse/domain/accounts';
import type { Change } from '@gatehouse/domain/changes';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { KeyId } from '@gatehouse/domain/signing-keys';
import type { TokenId } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { z } from 'zod';
import { parseJson } from '../database/parse-json.ts';

/** The channel on which the triggers of migration 0002 notify changes. */
export const CHANGE_CHANNEL = 'gatehouse_changes';

/** A parsed notification: changes, or the nonce of a feed that tests its connection. */
type ChangeNotification =
  | { readonly changes: readonly Change[]; readonly nonce?: never }
  | { readonly changes?: never; readonly nonce: string };

/** An invalid id means every id, so that no change of a known kind is missed. */
const idsOf = <T>(id: z.ZodType<T>) => z.array(id).or(z.literal('*')).catch('*');
const numbers = idsOf(z.int());
const texts = idsOf(z.string());
const version = z.literal(1);

const notification = z.union([
  z.object({ v: version, nonce: z.string() }),
  z.discriminatedUnion('kind', [
    z.object({ v: version, kind: z.literal('token'), ids: texts }),
    z.object({ v: version, kind: z.literal('user'), ids: numbers }),
    z.object({ v: version, kind: z.literal('account'), ids: numbers }),
    z.object({ v: version, kind: z.literal('organization'), ids: numbers }),
    z.object({ v: version, kind: z.literal('membership'), ids: idsOf(z.tuple([z.int(), z.int()])) }),
    z.object({ v: version, kind: z.literal('key'), ids: texts }),
  ]),
]);

/** Parses a notification; undefined if its version or kind is unknown. */
export function parseChangeNotification(payload: string): ChangeNotification | undefined {
  const { data } = notification.safeParse(parseJson(payload));
  if (data === undefined) return undefined;
  if ('nonce' in data) return { nonce: data.nonce };
  if (data.ids === '*') return { changes: [{ kind: 'everything' }] };
  switch (data.kind) {
    case 'token':
      return { changes: data.ids.map((id) => ({ kind: 'token', id: id as TokenId })) };
    case 'user':
      return { changes: data.ids.map((id) => ({ kind: 'user', id: id as UserId })) };
    case 'account':
      return { changes: data.ids.map((id) => ({ kind: 'account', id: id as AccountId })) };
    case 'organization':
      return { changes: data.ids.map((id) => ({ kind: 'organization', id: id as OrganizationId })) };
    case 'membership':
      return {
        changes: data.ids.map(([organizationId, userId]) => ({
          kind: 'membership',
          organizationId: organizationId as OrganizationId,
          userId: userId as UserId,
        })),
      };
    case 'key':
      return { changes: data.ids.map((id) => ({ kind: 'key', id: id as KeyId })) };
  }
}

/** Returns the notification that `parseChangeNotification` parses as this nonce. */
export function nonceNotification(nonce: string): string {
  return JSON.stringify({ v: 1, nonce });
}
