import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '@gatehouse/domain';
import type { LineKind, Log } from '../logging/line-kind.ts';
import type { Settings } from '../settings/settings.ts';

const HOUR_MS = 3_600_000;
/** The pause between two rounds of sealing, in milliseconds. A change of an event that has no seal yet is not detected. */
const SEALING_MS = 10_000;
/** The pause between two batches of audit events, in milliseconds. Requests use the database in between. */
const BREATH_MS = 50;
/** The pause after a failure, in milliseconds. */
const RETRY_MS = 60_000;

interface Housekeeping {
  /** Deletes one batch of old sessions. */
  readonly sweepSessions: () => Promise<{ readonly more: boolean }>;
  /** Returns the number of tokens whose addresses were deleted. */
  readonly forgetAddresses: (which: 'old' | 'all') => Promise<number>;
  /** Seals one batch of audit events. */
  readonly sealAuditEvents: () => Promise<Result<{ readonly more: boolean }, { readonly code: string }>>;
  readonly settings: Pick<Settings, 'USAGE_ADDRESSES'>;
  readonly log: Log;
  /** Waits for a time, and rejects if the signal is aborted. The timer does not keep the process alive. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Seals new audit events, now and every ten seconds. Deletes old sessions and addresses of use, now and every hour. If
 * addresses are switched off it deletes all of them each time, because another server on the database may still record
 * some. Several servers can do so at once. The returned function stops it, and resolves once the work in progress is
 * done.
 */
export function startHousekeeping(housekeeping: Housekeeping): () => Promise<void> {
  const { sweepSessions, forgetAddresses, sealAuditEvents, settings, log, pause = unrefDelay } = housekeeping;
  const stopping = new AbortController();
  const { signal } = stopping;
  const which = settings.USAGE_ADDRESSES === 'off' ? 'all' : 'old';

  async function deleteSessions(): Promise<void> {
    while (!signal.aborted && (await sweepSessions()).more);
  }
  async function deleteAddresses(): Promise<void> {
    const tokens = await forgetAddresses(which);
    if (tokens > 0) log.info({ tokens, which }, 'addresses of use were deleted');
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
          return RETRY_MS;
        },
      );
    // A pause rejects when it is interrupted.
    while (!signal.aborted) await pause(await attempt(), signal).catch(() => undefined);
  }

  const ended = Promise.all([
    repeat('sessions_not_deleted', 'old sessions cannot be deleted', deleteSessions),
    repeat('addresses_not_deleted', 'addresses of use cannot be deleted', deleteAddresses),
    repeat('audit_not_sealed', 'audit events cannot be sealed', sealEvents, SEALING_MS),
  ]);
  return async () => {
    stopping.abort();
    await ended;
  };
}

const unrefDelay = (milliseconds: number, signal: AbortSignal) =>
  delay(milliseconds, undefined, { signal, ref: false });
