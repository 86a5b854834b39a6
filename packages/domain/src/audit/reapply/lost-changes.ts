import type { BuiltInAction } from '../../resources/built-in.ts';
import type { Instant } from '../../time/instant.ts';
import type { AuditSeals } from '../seals/audit-seals.ts';
import type { ReadEvent } from '../seals/exported-batches.ts';
import { rangesOf } from '../seals/id-ranges.ts';
import { eventLine } from '../seals/lines.ts';
import type { Sealing } from '../seals/make-seal.ts';
import { isPruned } from '../seals/verify-seal.ts';
import type { CheckedBatch } from './checked-batches.ts';

/**
 * For each action that ended something, such as `token.revoked`: how to read the change from its event, so that it can
 * be made again.
 */
const CHANGES = {
  'token.revoked': (id, { reason }) => ({ kind: 'token', id, reason: textOf(reason) }) as const,
  'user.disabled': (id, { email, reason, tokens_to: to, created_at: createdAt }) =>
    ({
      kind: 'user',
      id,
      email: textOf(email) ?? '',
      reason: textOf(reason),
      tokensTo: textOf(to),
      createdAt: textOf(createdAt),
    }) as const,
  'user.unlinked': (id, { email, issuer, subject }) =>
    ({
      kind: 'identity',
      id,
      email: textOf(email) ?? '',
      issuer: textOf(issuer) ?? '',
      subject: textOf(subject) ?? '',
    }) as const,
  'account.suspended': (id, { name, reason }) =>
    ({ kind: 'account', id, name: textOf(name) ?? '', reason: textOf(reason) }) as const,
  'key.retired': (id) => ({ kind: 'key', id }) as const,
  // Networks that only report, or none, allow what the backup allows.
  'token.networks_set': (id, { networks_mode: mode, networks }) =>
    mode === 'enforced' ? ({ kind: 'networks', id, networks: textsOf(networks) } as const) : undefined,
  'invitation.revoked': (id, { reason }) => ({ kind: 'invitation', id, reason: textOf(reason) }) as const,
  // Its code would work a second time. The user whom it created may have been disabled since.
  'invitation.accepted': (id) => ({ kind: 'invitation', id, reason: 'it was accepted' }) as const,
} satisfies Partial<
  Record<BuiltInAction, (id: string, details: ReadEvent['event']['details']) => object | undefined>
>;

/**
 * A change that ended something, such as a revocation, and that a restored, older state of the database does not have.
 */
export type LostChange = NonNullable<ReturnType<(typeof CHANGES)[keyof typeof CHANGES]>>;

/** The changes that are in an export but not in the log, and where the export begins and ends. */
export interface LostChanges {
  /** The number of events that are in the export but not in the log. */
  readonly events: number;
  /**
   * The lost changes that can be made again, in the order in which they were made. Changes that were undone later are
   * left out.
   */
  readonly changes: readonly LostChange[];
  /**
   * The number of lost changes that cannot be made again, by action. Their events do not have all the necessary facts.
   */
  readonly others: ReadonlyMap<string, number>;
  /** The position of the first event in the export; 0 if the export has no events. */
  readonly begins: number;
  /** The last seal of the export. Changes after this seal are unknown. */
  readonly ends: { readonly position: number; readonly sealedAt: Instant } | undefined;
}

/** Actions that undo a lost change with the same key: the networks of a token are lifted by the same action. */
const UNDOING: ReadonlySet<string> = new Set<BuiltInAction>([
  'token.networks_set',
  'user.enabled',
  'user.linked',
  'account.resumed',
]);

/**
 * Returns the key of a change, so that a later change with the same key replaces it. The networks of a token are set
 * besides its revocation, and identities are unlinked besides the end of their user.
 */
function keyOf({ event: { action, subject, details } }: ReadEvent): string {
  if (action === 'token.networks_set') return `networks ${subject.id}`;
  if (action === 'user.linked' || action === 'user.unlinked') return identityKey(details);
  return `${subject.type} ${subject.id}`;
}

const identityKey = ({ issuer, subject }: ReadEvent['event']['details']) =>
  `identity ${JSON.stringify([issuer, subject])}`;

/**
 * Actions that did not change what a token, user or key may do, such as facts that Gatehouse noticed. Nothing has to be
 * done if the database lost them.
 */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set<BuiltInAction>([
  'token.pruned',
  'key.rewrapped',
  'audit.pruned',
  'user.link_refused',
  'user.demotion_refused',
  'token.expires_soon',
  'token.expired_in_use',
  'token.unused',
  'token.used_from_new_network',
  'key.due',
  'policy.exceeded',
]);

/** Finds the changes that are in the export but not in the log. Keeps only these changes in memory. */
export async function findLostChanges(
  batches: AsyncIterable<CheckedBatch>,
  auditSeals: Pick<AuditSeals, 'readEvents'>,
  sealing: Sealing,
): Promise<LostChanges> {
  const changes = new Map<string, LostChange>();
  const others = new Map<string, number>();
  let [events, begins, ends]: [number, number, LostChanges['ends']] = [0, 0, undefined];
  for await (const batch of batches) {
    const { seal } = batch;
    begins ||= batch.events[0]?.position ?? 0;
    ends = { position: seal.last, sealedAt: seal.sealedAt };
    for (const lost of await lostEvents(batch, auditSeals, sealing)) {
      events += 1;
      const { action } = lost.event;
      const key = keyOf(lost);
      const change = changeOf(lost);
      if (change) {
        // The last change of a subject replaces an earlier change of the same subject, and moves to the end of the
        // order.
        changes.delete(key);
        changes.set(key, change);
      } else if (!WITHOUT_EFFECT.has(action)) {
        if (UNDOING.has(action)) changes.delete(key);
        others.set(action, (others.get(action) ?? 0) + 1);
      }
    }
  }
  return { events, changes: [...changes.values()], others, begins, ends };
}

/** Returns the events of the batch that are not in the log. Events that were pruned from the log are not lost. */
async function lostEvents(
  { events, same }: CheckedBatch,
  auditSeals: Pick<AuditSeals, 'readEvents'>,
  sealing: Sealing,
): Promise<readonly ReadEvent[]> {
  if (events.length === 0) return [];
  if (same && isPruned(sealing, same)) return [];
  const ids = events.map(({ id }) => id).toSorted((one, other) => one - other);
  const stored = new Map(
    (await auditSeals.readEvents(rangesOf(ids))).map((event) => [Number(event.id), event]),
  );
  return events.filter(({ id, position, text }) => {
    const event = stored.get(id);
    return event === undefined || eventLine(position, event) !== text;
  });
}

function changeOf({ event: { action, subject, details } }: ReadEvent): LostChange | undefined {
  return Object.hasOwn(CHANGES, action)
    ? CHANGES[action as keyof typeof CHANGES](subject.id, details)
    : undefined;
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
