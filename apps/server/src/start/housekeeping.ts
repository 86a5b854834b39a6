import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '@gatehouse/domain';
import type { LineKind, Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';

const HOUR_MS = 3_600_000;
/**
 * The time between two rounds that seal new audit events, in milliseconds. If someone changed an audit event in the
 * database before it is sealed, the change would not be detected.
 */
const SEALING_MS = 10_000;
/**
 * The pause after a batch of audit events, in milliseconds. During the pause, requests can use the database.
 */
const BREATH_MS = 50;
/** The time between two rounds that record events of time, in milliseconds (ten minutes). */
const TIME_EVENTS_MS = 600_000;
/** The time between two rounds that send messages about several events, in milliseconds. */
const DIGESTS_MS = 60_000;
/** The longest pause before failed work is tried again, in milliseconds. */
const RETRY_MS = 60_000;

interface Housekeeping {
  /** Deletes one batch of sign-ins with a provider that began too long ago. */
  readonly sweepAttempts: () => Promise<{ readonly more: boolean }>;
  /** Deletes one batch of old sessions, and of sign-ins that waited too long for a code. */
  readonly sweepSessions: () => Promise<{ readonly more: boolean }>;
  /**
   * Deletes the addresses from which tokens were used, all of them or only old ones. Returns the number of affected
   * tokens.
   */
  readonly forgetAddresses: (which: 'old' | 'all') => Promise<number>;
  /** Records one batch of what became true because time went by. */
  readonly recordTimeEvents: (options: {
    readonly addresses: boolean;
  }) => Promise<{ readonly more: boolean }>;
  /** Seals one batch of audit events. */
  readonly sealAuditEvents: () => Promise<Result<{ readonly more: boolean }, { readonly code: string }>>;
  /** Sends one batch of messages about several events; undefined without a mail server. */
  readonly sendDigests?: (() => Promise<{ readonly more: boolean }>) | undefined;
  readonly settings: Pick<Settings, 'USAGE_ADDRESSES'>;
  readonly log: Log;
  /** Waits for this time. Rejects if the signal is aborted. A pending wait does not keep the process alive. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Seals new audit events, now and every ten seconds. Records events of time, now and every ten minutes. Sends messages
 * about several events every minute. Deletes old sessions, old attempts to sign in and old addresses of token use, now
 * and every hour. If the setting `USAGE_ADDRESSES` is off, all addresses are deleted each time, because another server on the
 * database may still record some. Several servers can do this work at the same time. The returned function stops the
 * work, and resolves when the current batch is done.
 */
export function startHousekeeping(housekeeping: Housekeeping): () => Promise<void> {
  const { sweepAttempts, sweepSessions, forgetAddresses, sealAuditEvents, settings, log } = housekeeping;
  const { recordTimeEvents, sendDigests, pause = unrefDelay } = housekeeping;
  const stopping = new AbortController();
  const { signal } = stopping;
  const which = settings.USAGE_ADDRESSES === 'off' ? 'all' : 'old';

  async function deleteSessions(): Promise<void> {
    while (!signal.aborted && (await sweepSessions()).more);
  }
  async function deleteAttempts(): Promise<void> {
    while (!signal.aborted && (await sweepAttempts()).more);
  }
  async function sendAllDigests(): Promise<void> {
    while (!signal.aborted && (await sendDigests?.())?.more);
  }
  async function deleteAddresses(): Promise<void> {
    const tokens = await forgetAddresses(which);
    if (tokens > 0) log.info({ tokens, which }, 'addresses from which tokens were used were deleted');
  }

  async function recordEvents(): Promise<void> {
    const options = { addresses: settings.USAGE_ADDRESSES !== 'off' };
    while (!signal.aborted && (await recordTimeEvents(options)).more) await pause(BREATH_MS, signal);
  }

  async function sealEvents(): Promise<void> {
    while (!signal.aborted) {
      const sealed = await sealAuditEvents();
      if (!sealed.ok) throw new Error(sealed.error.code);
      if (!sealed.value.more) return;
      await pause(BREATH_MS, signal);
    }
  }

  async function repeat(
    kind: LineKind,
    problem: string,
    work: () => Promise<void>,
    everyMs = HOUR_MS,
  ): Promise<void> {
    const attempt = () =>
      work().then(
        () => everyMs,
        (error) => {
          if (!signal.aborted) log.warn({ kind, err: error }, problem);
          return Math.min(RETRY_MS, everyMs);
        },
      );
    // The pause rejects when the housekeeping is stopped.
    while (!signal.aborted) await pause(await attempt(), signal).catch(() => undefined);
  }

  const ended = Promise.all([
    repeat(
      'sessions_not_deleted',
      'old sessions cannot be deleted: the next attempt is in a minute',
      deleteSessions,
    ),
    repeat(
      'attempts_not_deleted',
      'old sign-ins with identity providers cannot be deleted: the next attempt is in a minute',
      deleteAttempts,
    ),
    repeat(
      'addresses_not_deleted',
      'addresses from which tokens were used cannot be deleted: the next attempt is in a minute',
      deleteAddresses,
    ),
    repeat(
      'time_events_not_recorded',
      'events such as the coming expiry of a token cannot be recorded: the next attempt is in a minute',
      recordEvents,
      TIME_EVENTS_MS,
    ),
    repeat(
      'audit_not_sealed',
      'audit events cannot be sealed, so changes of new events are not detected and no reaction gets them: the next attempt is in ten seconds',
      sealEvents,
      SEALING_MS,
    ),
    ...(sendDigests
      ? [
          repeat(
            'digests_not_sent',
            'messages about several events cannot be sent: the next attempt is in a minute',
            sendAllDigests,
            DIGESTS_MS,
          ),
        ]
      : []),
  ]);
  return async () => {
    stopping.abort();
    await ended;
  };
}

const unrefDelay = (milliseconds: number, signal: AbortSignal) =>
  delay(milliseconds, undefined, { signal, ref: false });
