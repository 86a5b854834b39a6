import type { AccountId } from '../accounts/account.ts';
import type { AuditAction } from '../audit/audit-event.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import { type Brand, parsePositiveInteger } from '../identifiers.ts';
import type { SealedSecret } from '../signing-keys/signing-key.ts';
import type { Instant } from '../time/instant.ts';
import type { SendOutcome } from './webhook-sender.ts';

/** A positive integer that is never used for a second webhook. */
export type WebhookId = Brand<number, 'WebhookId'>;

export const parseWebhookId = parsePositiveInteger<WebhookId>;

/** Maximum number of webhooks of an account, and of those for the whole installation. */
export const MAX_WEBHOOKS = 10;

/** The number of attempts of a webhook that are kept. */
export const KEPT_ATTEMPTS = 50;

/** The longest time for which the former secret still signs, in milliseconds: 24 hours. */
export const MAX_SECRET_GRACE_MS = 86_400_000;

/** The actions of the events that a webhook receives. */
export type WantedActions = 'all' | readonly AuditAction[];

/** Why a webhook is disabled: an admin or operator asked for it, or its receiver answered 410 (Gone). */
export type DisableReason = 'requested' | 'gone';

export interface Disabling {
  readonly at: Instant;
  readonly reason: DisableReason;
}

/** An address to which Gatehouse sends events. Its secrets are not part of this type. */
export interface Webhook {
  readonly id: WebhookId;
  /** The account whose events it receives; null for the events of all accounts and of none. */
  readonly accountId: AccountId | null;
  readonly url: string;
  /** The purpose, in one line; may be empty. */
  readonly description: string;
  readonly actions: WantedActions;
  /** Whether messages contain the email and IP addresses of people. */
  readonly includesAddresses: boolean;
  readonly createdAt: Instant;
  /** Null if it is enabled. */
  readonly disabled: Disabling | null;
  /** The time of the first failed attempt since the last event that was delivered; null if none failed. */
  readonly failingSince: Instant | null;
  /** The time until which messages are also signed with the former secret; null if there is none. */
  readonly formerSecretUntil: Instant | null;
}

/** A webhook with its secrets, encrypted under the master key with `webhookKeyId`. */
export interface SealedWebhook {
  readonly webhook: Webhook;
  readonly sealedSecret: SealedSecret;
  /** The secret before the last rotation; null if there is none. */
  readonly formerSealedSecret: SealedSecret | null;
}

/** Binds an encrypted secret to its webhook: a secret that is moved to another webhook cannot be decrypted. */
export const webhookKeyId = (id: WebhookId): string => `webhook:${id}`;

/** The type of a message that tries a webhook. */
export const TEST_ACTION = 'webhook.test' satisfies AuditAction;

/** One attempt to send a message. Nothing of the answer is kept but its status. */
export interface Attempt {
  readonly at: Instant;
  /** The position of the event in the audit log; null for a test. */
  readonly position: AuditPosition | null;
  readonly action: AuditAction;
  readonly outcome: SendOutcome;
}

/** The number of tests of a webhook within `TEST_WINDOW_MS`. */
export const MAX_TESTS = 6;

/** One minute. */
export const TEST_WINDOW_MS = 60_000;

/** A test that did not end within this time no longer prevents the next one, in milliseconds. */
export const TEST_LASTS_MS = 20_000;

/** The tests of a webhook that limit the next one. */
export interface RecentTests {
  /** When tests began, oldest first. */
  readonly times: readonly Instant[];
  /** While this time is not reached, a test is running; null if none is. */
  readonly runningUntil: Instant | null;
}

/**
 * Returns the time until the next test, in milliseconds; 0 if it may begin now. Times after `now` come from a clock that
 * was set back, and do not count.
 */
export function msUntilTest({ times, runningUntil }: RecentTests, now: Instant): number {
  const isRunning = runningUntil !== null && runningUntil > now && runningUntil <= now + TEST_LASTS_MS;
  const running = isRunning ? runningUntil - now : 0;
  const oldest = recentTests(times, now).at(-MAX_TESTS);
  return Math.max(running, oldest === undefined ? 0 : oldest + TEST_WINDOW_MS - now);
}

/** Returns the times of tests that still count, oldest first. */
export function recentTests(times: readonly Instant[], now: Instant): readonly Instant[] {
  return times.filter((at) => at > now - TEST_WINDOW_MS && at <= now);
}
