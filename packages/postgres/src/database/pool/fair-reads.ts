import { UnavailableFault } from '@gatehouse/domain';
import type { UserId } from '@gatehouse/domain/users';
import { type Admitted, createFairQueue } from '@gatehouse/queues';
import type { InTime } from './in-time.ts';

/** The number of the pool's connections that reads for users leave to sign-ins and other work. */
const SPARE_CONNECTIONS = 1;
/** The maximum number of queued reads in one process: only a flood has more requests at once. */
const MAX_QUEUED_READS = 4_096;
/** The maximum number of queued reads of one user: as many as a fast database answers before their requests give up. */
const MAX_QUEUED_READS_PER_USER = MAX_QUEUED_READS / 4;

/**
 * Reads that share statements hold no connection each, so for each connection as many are under way. A statement with more
 * would not cost less for each, and the next user's reads wait for it.
 */
const SHARING_READS = 8;

/** At most this part of the connections that users have reads sessions of unknown clients at once. */
const UNKNOWN_PART = 1 / 3;

/** A network of a client whose session is not known yet. */
type NetworkTurn = `network ${string}`;

/** The keys that take turns: users, separately the ended tokens of a user, and networks of unknown clients. */
export type Turn = UserTurn | NetworkTurn;

export type UserTurn = UserId | `ended ${number}`;

/** A kind of statements that several reads share. They take turns with users whose reads share none, like one user. */
export type SharedStatement = 'token records' | 'organization views';

/** All unknown clients together take turns like one user, because one client can have any number of networks. */
const UNKNOWN = 'unknown';

/**
 * Lets users take turns at the connections of a pool of this size. While no other user waits, a user may use all but
 * the spare ones. When `inTime` gives a request up, a queued read is not made; an active read keeps its turn until it
 * ends, because it keeps its connection. Networks of unknown clients take turns among themselves before that.
 */
export function createFairReads(poolSize: number, inTime: InTime) {
  const queued = { queued: MAX_QUEUED_READS, queuedPerKey: MAX_QUEUED_READS_PER_USER };
  const concurrency = Math.max(1, poolSize - SPARE_CONNECTIONS);
  const queue = createFairQueue<UserTurn | typeof UNKNOWN | SharedStatement>({ concurrency, ...queued });
  const sharing = createFairQueue<UserTurn>({ concurrency: SHARING_READS * concurrency, ...queued });
  const networks = createFairQueue<NetworkTurn>({
    concurrency: Math.max(1, Math.floor(concurrency * UNKNOWN_PART)),
    ...queued,
  });

  async function admit<T>(turn: Turn, read: () => Promise<T>, isWanted: () => boolean) {
    if (!isOfNetwork(turn)) return queue.run(turn, read, { isWanted });
    const admitted = await networks.run(turn, () => queue.run(UNKNOWN, read, { isWanted }), { isWanted });
    return admitted.ok ? admitted.value : admitted;
  }

  async function waitForTurn<T>(admitIf: (isWanted: () => boolean) => Promise<Admitted<T>>): Promise<T> {
    let isWanted = true;
    try {
      return await inTime(admitIf(() => isWanted).then(placeOf));
    } finally {
      isWanted = false;
    }
  }

  return {
    turns: {
      /**
       * Waits for the read's turn and for the read. Throws an `UnavailableFault` if the queue is full or the wait is too
       * long.
       */
      inTurn<T>(turn: Turn, read: () => Promise<T>): Promise<T> {
        const reading = isOfNetwork(turn) ? undefined : queue.runNow(turn, read);
        return reading ? inTime(reading) : waitForTurn((isWanted) => admit(turn, read, isWanted));
      },

      /** The same for a read that waits for a shared statement, and not for a connection of its own. */
      sharingInTurn<T>(turn: UserTurn, read: () => Promise<T>): Promise<T> {
        const reading = sharing.runNow(turn, read);
        return reading ? inTime(reading) : waitForTurn((isWanted) => sharing.run(turn, read, { isWanted }));
      },

      /** Makes a shared statement when there is a connection for it. Throws an `UnavailableFault` if the queue is full. */
      share: async (kind: SharedStatement, statement: () => Promise<void>): Promise<void> =>
        placeOf(await queue.run(kind, statement)),
    },
    /** Returns the number of reads that wait for their turn. */
    waiting: () => queue.load().waiting + networks.load().waiting + sharing.load().waiting,
  };
}

function placeOf<T>(admitted: Admitted<T>): T {
  if (admitted.ok) return admitted.value;
  throw new UnavailableFault(
    admitted.error.limit === 'key' ? 'too many reads of one user or network wait' : 'too many reads wait',
  );
}

function isOfNetwork(turn: Turn): turn is NetworkTurn {
  return typeof turn === 'string' && turn.startsWith('network ');
}
