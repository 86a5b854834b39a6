import type { NotAllowed } from '../access/authorize.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { PageById } from '../paging.ts';
import type { ChangeOutcome, Result } from '../result.ts';
import type { SealedSecret } from '../signing-keys/signing-key.ts';
import type { KeysChanged, Witness } from '../signing-keys/signing-key-repository.ts';
import type { Instant } from '../time/instant.ts';
import type { Attempt, Disabling, SealedWebhook, Webhook, WebhookId } from './webhook.ts';

/** The error if no webhook has this id, or one of another account has it. */
export type WebhookNotFound = { readonly code: 'webhook_not_found' };

/** The error if the account, or the installation, has `MAX_WEBHOOKS` webhooks. */
export type TooManyWebhooks = { readonly code: 'too_many_webhooks' };

/** The error if a test is running, or `MAX_TESTS` began within a minute. */
export interface WebhookTestTooSoon {
  readonly code: 'webhook_test_too_soon';
  readonly retryAfterSeconds: number;
}

export interface NewWebhook extends Omit<Webhook, 'disabled' | 'failingSince' | 'formerSecretUntil'> {
  readonly sealedSecret: SealedSecret;
}

/** The facts about a webhook that can be changed. */
export type WebhookChanges = Partial<Pick<Webhook, 'url' | 'description' | 'actions' | 'includesAddresses'>>;

/** Names a webhook. With an account, a webhook of another account or of the installation is not found. */
export interface WhichWebhook {
  readonly id: WebhookId;
  readonly of?: AccountId | undefined;
}

type Changed = ChangeOutcome & { readonly webhook: Webhook };
type NoChange = WebhookNotFound | NotAllowed;

/** A new secret of a webhook. */
export interface SecretRotation {
  readonly sealedSecret: SealedSecret;
  /** The time until which the secret so far signs, too; null if it ends at once. */
  readonly formerUntil: Instant | null;
  /** A signing key that was decrypted with the master key that encrypts the secret. */
  readonly witness: Witness;
}

/** An encrypted secret that replaces another one of the same webhook. */
export interface WebhookResealing {
  readonly id: WebhookId;
  readonly from: SealedSecret;
  readonly to: SealedSecret;
}

/**
 * Stores webhooks, their encrypted secrets and their last attempts. Each change and its audit event are one atomic step.
 * A change is `not_allowed` if the user whom the event names as its actor is no longer an active admin of the account.
 * Implementations pass `webhookRepositoryContract`.
 */
export interface WebhookRepository {
  /** Returns an id that was never used. The secret of a webhook is encrypted for its id before it is inserted. */
  nextId(): Promise<WebhookId>;

  /** Inserts a webhook. Refuses if the stored secret of the witness has changed: the master key was replaced meanwhile. */
  insert(
    webhook: NewWebhook,
    guard: { readonly limit: number; readonly witness: Witness },
    event: AuditEvent,
  ): Promise<Result<Webhook, AccountNotFound | NotAllowed | TooManyWebhooks | KeysChanged>>;

  find(which: WhichWebhook): Promise<Webhook | undefined>;

  /** Finds a webhook with its secrets, to send a message. */
  findSealed(id: WebhookId): Promise<SealedWebhook | undefined>;

  /**
   * Returns one page of webhooks, sorted by id: those of an account, those of the installation (null), or all of them
   * (without an account).
   */
  list(
    page: PageById<WebhookId> & { readonly accountId?: AccountId | null | undefined },
  ): Promise<readonly Webhook[]>;

  /** Returns the enabled webhooks of these accounts and of the installation. */
  listEnabled(
    accounts: readonly AccountId[],
  ): Promise<readonly Pick<Webhook, 'id' | 'accountId' | 'actions'>[]>;

  /** Changes a webhook. If nothing would change, records no event. A new address is not known to fail. */
  update(
    which: WhichWebhook,
    changes: WebhookChanges,
    audit: (before: Webhook, after: Webhook) => AuditEvent,
  ): Promise<Result<Changed, NoChange>>;

  /** Deletes a webhook with its secrets and attempts. */
  delete(which: WhichWebhook, audit: (before: Webhook) => AuditEvent): Promise<Result<Webhook, NoChange>>;

  /**
   * Disables a webhook, or enables it (null). If it already is so, changes nothing and records no event. With `url`, a
   * webhook that has another address by now is not found.
   */
  setDisabled(
    which: WhichWebhook & { readonly url?: string },
    disabled: Disabling | null,
    audit: (before: Webhook) => AuditEvent,
  ): Promise<Result<Changed, NoChange>>;

  /** Replaces the secret. A former one that still signs ends at once: there are never more than two. */
  rotateSecret(
    which: WhichWebhook,
    rotation: SecretRotation,
    audit: (before: Webhook) => AuditEvent,
  ): Promise<Result<Webhook, NoChange | KeysChanged>>;

  /**
   * Stores an attempt, and forgets those before the last `KEPT_ATTEMPTS`. One that delivered an event ends `failingSince`,
   * and one that did not begins it. A test changes neither, and ends the time in which no other test begins. Does nothing
   * if the webhook was deleted.
   */
  recordAttempt(id: WebhookId, attempt: Attempt, isDelivered: boolean): Promise<void>;

  /** Returns the last attempts of a webhook, newest first. */
  listAttempts(id: WebhookId): Promise<readonly Attempt[]>;

  /** Notes that a test begins, unless `msUntilTest` is more than 0. Each call waits for the calls before it. */
  beginTest(which: WhichWebhook, at: Instant): Promise<Result<void, WebhookNotFound | WebhookTestTooSoon>>;

  /** Returns webhooks that receivers disabled, and enabled ones that fail since this time or before, sorted by id. */
  listTroubled(query: {
    readonly failingSince: Instant;
    readonly limit: number;
  }): Promise<readonly Webhook[]>;

  /** Returns one page of the encrypted secrets of webhooks, sorted by id. */
  listSecrets(
    page: PageById<WebhookId>,
  ): Promise<readonly { readonly id: WebhookId; readonly sealedSecrets: readonly SealedSecret[] }[]>;

  /**
   * Replaces encrypted secrets. A secret that is no longer stored (`from`) was deleted or replaced meanwhile, and is left
   * out. The replacement survives a crash once it is acknowledged.
   */
  reseal(resealings: readonly WebhookResealing[]): Promise<void>;
}
