import { parentPort, workerData } from 'node:worker_threads';
import { openRelay } from '@gatehouse/test-database';
import type { MemberPorts } from './configuration.ts';

/** The ports behind the relays. */
export interface NetworkTask {
  readonly etcd: number;
  readonly members: readonly MemberPorts[];
}

/** The ports of the relays of a member. */
export interface MemberRelays extends MemberPorts {
  readonly etcd: number;
}

/** Cuts a member off, or heals its network. */
export interface Cut {
  readonly member: number;
  readonly isCut: boolean;
}

// A thread of its own, because a late answer of the network takes a leader out.
const { etcd, members } = workerData as NetworkTask;

/** A cut network drops packets, and TCP sends them again: they arrive when it is healed. */
const held = members.map((): { isCut: boolean; passes: (() => void)[] } => ({ isCut: false, passes: [] }));

async function relayTo(port: number, member: number): Promise<number> {
  const way = held[member];
  const carry = (pass: () => void) => {
    if (way?.isCut) way.passes.push(pass);
    else pass();
  };
  const { url } = await openRelay(`http://127.0.0.1:${port}`, { carry, carryClose: carry });
  return Number(new URL(url).port);
}

parentPort?.on('message', ({ member, isCut }: Cut) => {
  const way = held[member];
  if (!way) return;
  way.isCut = isCut;
  if (!isCut) for (const pass of way.passes.splice(0)) pass();
});

const relays = members.map(
  async ({ rest, postgres }, member): Promise<MemberRelays> => ({
    rest: await relayTo(rest, member),
    postgres: await relayTo(postgres, member),
    etcd: await relayTo(etcd, member),
  }),
);
parentPort?.postMessage(await Promise.all(relays));
