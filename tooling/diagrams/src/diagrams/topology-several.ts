import type { Diagram } from '../diagram.ts';
import { box, down, lines } from '../shapes.ts';

const clients = box('plain', 'Programs and browsers', [], { y: 8 });
const balancer = box('plain', 'Load balancer, such as haproxy', ['ends TLS; asks each server for /ready'], {
  y: clients.bottom + 44,
});
const servers = [8, 142, 276].map((x, index) =>
  box('ours', `Server ${index + 1}`, ['caches'], { x, y: balancer.bottom + 34, width: 116 }),
);
const toPrimary = box('plain', 'Address of the primary', ['such as haproxy in TCP mode'], {
  y: balancer.bottom + 126,
});
const primary = box('store', 'Primary', ['PostgreSQL: the only one that decides'], {
  y: toPrimary.bottom + 34,
});
const standbys = [8, 208].map((x) =>
  box('store', 'Standby', ['ready to take over'], { x, y: primary.bottom + 44, width: 184 }),
);

export const topologySeveral: Diagram = {
  name: 'topology-several',
  title: 'Several servers and PostgreSQL with standbys',
  text: 'Programs and browsers reach a load balancer by HTTPS. It forwards requests to servers, each with caches of its own. Servers send nothing to each other: they connect to the primary of PostgreSQL, by an address that always leads to it, such as haproxy in TCP mode. The primary replicates each commit to at least one of two standbys before it acknowledges it.',
  shapes: [
    clients,
    down(66, clients, balancer, { label: ['HTTPS'] }),
    balancer,
    ...servers.flatMap((server) => [down(server.x + 58, balancer, server), server]),
    ...servers.map((server) => down(server.x + 58, server, toPrimary)),
    toPrimary,
    down(primary.x + 58, toPrimary, primary),
    primary,
    ...standbys.flatMap((standby) => [
      down(standby.x + 58, primary, standby, { label: ['each commit'] }),
      standby,
    ]),
    lines(['A commit waits until one standby has it.'], { x: 8, y: primary.bottom + 108 }),
  ],
};
