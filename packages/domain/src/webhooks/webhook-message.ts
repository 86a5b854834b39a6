import type { Actor, AuditEvent } from '../audit/audit-event.ts';
import { parseIpAddress } from '../ip-address.ts';
import type { SealedEvent } from '../reactions/reaction.ts';
import { formatInstant, type Instant } from '../time/instant.ts';
import { TEST_ACTION, type Webhook, type WebhookId } from './webhook.ts';

/** The largest body of a message, in bytes, as Standard Webhooks recommends. */
export const MAX_BODY_BYTES = 20_000;

/** A message before it is signed. */
export interface WebhookMessage {
  /** The same for each attempt, so that receivers recognize a message that they have already. */
  readonly id: string;
  readonly body: string;
}

/** Details that are ids, names, kinds or times. Others, such as reasons and descriptions, are not sent. */
const SENT: ReadonlySet<string> = new Set([
  'actions',
  'credential_id',
  'days',
  'ended_at',
  'expires_at',
  'format',
  'former_expires_at',
  'former_name',
  'former_networks_mode',
  'from',
  'from_user_id',
  'grace_ms',
  'host',
  'kind',
  'name',
  'networks_mode',
  'provider',
  'role',
  'scope',
  'scopes',
  'second_factor',
  'service',
  'successor_id',
  'to',
  'to_user_id',
  'tokens',
  'used_lately',
  'user_id',
]);

/** Details with email or IP addresses, which are sent only if the webhook asks for them. */
const WITH_ADDRESSES: ReadonlySet<string> = new Set([
  'email',
  'former_email',
  'former_networks',
  'former_responsible',
  'link_by',
  'network',
  'networks',
  'responsible',
  'tokens_to',
]);

type For = Pick<Webhook, 'id' | 'includesAddresses'>;

/** Makes the message about an event, as Standard Webhooks 1.0 describes it. It has no secret and no free text. */
export function eventMessage(webhook: For, { position, event }: SealedEvent): WebhookMessage {
  const data = {
    position,
    account_id: event.accountId,
    subject: event.subject,
    actor: actorFor(webhook, event),
  };
  const write = (more: object) => bodyOf(event.action, event.at, { ...data, ...more });
  const body = write({ details: detailsFor(webhook, event.details) });
  const fits = utf8Length(body) <= MAX_BODY_BYTES;
  return {
    id: messageId(webhook.id, position),
    body: fits ? body : write({ details: {}, details_omitted: true }),
  };
}

/** Makes a message that tries a webhook. */
export function testMessage({ id }: Pick<Webhook, 'id'>, at: Instant): WebhookMessage {
  return { id: messageId(id, `test_${at}`), body: bodyOf(TEST_ACTION, at, { webhook_id: id }) };
}

const messageId = (id: WebhookId, what: number | string) => `msg_${id}_${what}`;

const bodyOf = (type: string, at: Instant, data: object) =>
  JSON.stringify({ type, timestamp: formatInstant(at), data });

/** Who acted. The name and the machine of an operator are not told. */
function actorFor({ includesAddresses }: For, { actor, origin }: AuditEvent) {
  const isTold = includesAddresses && actor.kind === 'user' && parseIpAddress(origin) !== undefined;
  return { ...whoIs(actor), ...(isTold && { address: origin }) };
}

function whoIs(actor: Actor) {
  if (actor.kind === 'operator')
    return actor.for === undefined ? { kind: 'operator' } : { kind: 'operator', for: actor.for };
  return actor;
}

function detailsFor({ includesAddresses }: For, details: AuditEvent['details']) {
  const isSent = (name: string) => SENT.has(name) || (includesAddresses && WITH_ADDRESSES.has(name));
  return Object.fromEntries(Object.entries(details).filter(([name]) => isSent(name)));
}

/** The number of bytes of a text in UTF-8. */
function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    length += point < 0x80 ? 1 : point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4;
  }
  return length;
}
