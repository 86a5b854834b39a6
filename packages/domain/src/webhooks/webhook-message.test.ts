import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEvent, aWebhook, START } from '../../testing/index.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import type { UserId } from '../users/user.ts';
import type { WebhookId } from './webhook.ts';
import { eventMessage, MAX_BODY_BYTES, testMessage } from './webhook-message.ts';

const WEBHOOK = { id: 3 as WebhookId, includesAddresses: false };
const ADA = { kind: 'user', id: 5 as UserId } as const;

function bodyFor(event: Partial<AuditEvent>, parts: Partial<typeof WEBHOOK> = {}) {
  const sealed = { position: 17 as AuditPosition, event: anEvent(event) };
  return JSON.parse(eventMessage({ ...aWebhook(), ...WEBHOOK, ...parts }, sealed).body);
}

describe('the message about an event', () => {
  test('is named by the webhook and the position, and says what happened', () => {
    const event = anEvent({
      at: START,
      action: 'token.created',
      actor: ADA,
      origin: '192.0.2.7',
      accountId: 2 as AccountId,
      subject: { type: 'token', id: '0189' },
      details: { name: 'ERP', scopes: ['orgs:read'], user_id: 5, expires_at: null },
    });
    const message = eventMessage(WEBHOOK, { position: 17 as AuditPosition, event });
    expect(message.id).toBe('msg_3_17');
    expect(JSON.parse(message.body)).toEqual({
      type: 'token.created',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: {
        position: 17,
        account_id: 2,
        subject: { type: 'token', id: '0189' },
        actor: ADA,
        details: { name: 'ERP', scopes: ['orgs:read'], user_id: 5, expires_at: null },
      },
    });
  });

  test('has no free text, and no detail that is not listed', () => {
    const details = { name: 'ERP', reason: 'leaked', description: 'of Ada', code: 'ghi_x', secret: 'x' };
    expect(bodyFor({ details }).data.details).toEqual({ name: 'ERP' });
  });

  test('has the addresses of people only if the webhook asks for them', () => {
    const event = {
      actor: ADA,
      origin: '192.0.2.7',
      details: {
        name: 'Ada',
        email: 'ada@acme.example',
        networks: ['192.0.2.0/24'],
        network: '192.0.2.0/24',
      },
    };
    const without = bodyFor(event);
    expect(JSON.stringify(without)).not.toMatch(/192\.0|@/);
    const { data } = bodyFor(event, { includesAddresses: true });
    expect(data.details).toEqual(event.details);
    expect(data.actor).toEqual({ ...ADA, address: '192.0.2.7' });
    expect(bodyFor({ ...event, origin: 'laptop' }, { includesAddresses: true }).data.actor).toEqual(ADA);
  });

  test('never tells the name or the machine of an operator', () => {
    const operator = { kind: 'operator', name: 'root', for: 5 as UserId } as const;
    const { data } = bodyFor({ actor: operator, origin: '192.0.2.1' }, { includesAddresses: true });
    expect(data.actor).toEqual({ kind: 'operator', for: 5 });
    expect(JSON.stringify(data)).not.toMatch(/root|192\.0\.2\.1/);
  });

  test('has at most 20 KB, whatever the details are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8000, size: 'max' });
    const details = fc.record({ name: text, scopes: fc.array(text, { maxLength: 20 }), email: text });
    fc.assert(
      fc.property(details, (given) => {
        const sealed = { position: 17 as AuditPosition, event: anEvent({ details: given }) };
        const { body } = eventMessage({ ...WEBHOOK, includesAddresses: true }, sealed);
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_BODY_BYTES);
        const omitted = JSON.parse(body).data.details_omitted === true;
        const full = Buffer.byteLength(JSON.stringify(given));
        // Only what does not fit is left out. The rest of the body has fewer than 500 bytes.
        expect(omitted ? full > MAX_BODY_BYTES - 500 : true).toBe(true);
      }),
      // Shrinking texts of this size would take minutes.
      { numRuns: 50, endOnFailure: true },
    );
  });

  test('a test has its own type and id', () => {
    expect(testMessage(WEBHOOK, START)).toEqual({
      id: `msg_3_test_${START}`,
      body: '{"type":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","data":{"webhook_id":3}}',
    });
  });
});
