import type { Diagram } from '../diagram.ts';
import { box, down, frame } from '../shapes.ts';

const clients = box('plain', 'Programs and browsers', [], { y: 8 });
const server = box('ours', 'Server', ['API, pages,', 'caches'], { x: 20, y: 98, width: 170 });
const commands = box('ours', 'Commands', ['./gatehouse', 'token list'], { x: 210, y: 98, width: 170 });
const database = box(
  'store',
  'Embedded PostgreSQL',
  ['in the data folder, without a network:', 'a socket that only its owner can open'],
  {
    x: 20,
    y: server.bottom + 30,
    width: 360,
  },
);
const machine = frame('One machine', [database], { y: 68 });

export const topologyOne: Diagram = {
  name: 'topology-one',
  title: 'One server with the embedded database',
  text: 'On one machine run a server, which has the API, the pages and the caches, and commands of the command line. Both use the embedded PostgreSQL in the data folder, by a socket that only its owner can open. Programs and browsers reach the server by HTTP.',
  shapes: [
    clients,
    machine,
    down(160, clients, server),
    server,
    commands,
    down(105, server, database),
    down(295, commands, database),
    database,
  ],
};
