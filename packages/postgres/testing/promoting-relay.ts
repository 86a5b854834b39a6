import type { Socket } from 'node:net';
import { openRelay, type Relay } from '@gatehouse/test-database';

/** A relay to a database that imitates a failover whose old primary goes on running. */
export interface PromotingRelay extends Relay {
  /** Leads each new connection to a seemingly promoted standby; open ones stay where they are. */
  promote(): void;
  /** Leads each new connection to the old primary again. */
  demote(): void;
  /** Accepts no new connections, or accepts them again. */
  refuse(now: boolean): void;
  /** Returns how many connections are open. */
  openCount(): number;
}

const TIMELINES = ['00000001', '00000002'] as const;

/** A server is recognized by its timeline, so the relay edits it in the answers to new connections. */
export async function openPromotingRelay(url: string): Promise<PromotingRelay> {
  let isPromoted = false;
  let refusing = false;
  const promoted = new Map<Socket, boolean>();
  const relay = await openRelay(url, {
    accepts: () => !refusing,
    carry(pass, { bytes, isRequest, to }) {
      const isOpen = (socket: Socket) => !socket.destroyed;
      if (isRequest) return pass();
      if (!promoted.has(to)) promoted.set(to, isPromoted);
      if (!promoted.get(to) || !isOpen(to)) return pass();
      const edited = bytes.toString('latin1').replaceAll(TIMELINES[0], TIMELINES[1]);
      return void to.write(Buffer.from(edited, 'latin1'));
    },
  });
  return {
    ...relay,
    promote: () => {
      isPromoted = true;
    },
    demote: () => {
      isPromoted = false;
    },
    refuse: (now) => {
      refusing = now;
    },
    openCount: () => [...promoted.keys()].filter((socket) => !socket.destroyed).length,
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}
