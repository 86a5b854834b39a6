import type { Operator, Principal } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { BuiltInAction } from '../resources/built-in.ts';
import type { Instant } from '../time/instant.ts';
import type { SigningKey } from './signing-key.ts';

type KeyAction = Extract<BuiltInAction, `key.${string}`>;

/** The audit event of a change that this caller makes to a key. */
export function keyEvent(caller: Operator | Principal, at: Instant, action: KeyAction, key: SigningKey) {
  return eventBy(caller, eventOf(at, action, key, { format: key.format }));
}
