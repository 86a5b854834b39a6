import type { Diagram } from '../diagram.ts';
import { box, down } from '../shapes.ts';

const admin = box('plain', 'Admin or operator', ['revokes a token, on a page or by a command'], { y: 8 });
const primary = box(
  'store',
  "PostgreSQL's primary",
  ['one transaction: the token ends, and the', 'audit log has the event'],
  {
    y: admin.bottom + 34,
  },
);
const servers = box(
  'ours',
  'Every process of every server',
  ['drops the token from its cache, and refuses', 'the next request with it'],
  {
    y: primary.bottom + 76,
  },
);
const verifiers = box(
  'ours',
  'Every verifier in your services',
  ['forgets the token, and asks about the next', 'request with it'],
  {
    y: servers.bottom + 76,
  },
);
const unproven = box(
  'warning',
  'No proof for a second',
  ['Nothing is answered from memory. Servers read', 'the database; verifiers ask or refuse.'],
  { y: verifiers.bottom + 18 },
);

export const revocation: Diagram = {
  name: 'revocation',
  title: "A revocation's way",
  text: 'An admin or operator revokes a token. One transaction on the primary of PostgreSQL ends it and stores the audit event. At the commit, PostgreSQL notifies every process of every server, which drops the token from its cache within milliseconds. Servers tell every verifier in your services, which forgets the token. On the same connection, a heartbeat about four times a second proves to each process that no notification is missing, and the process passes the proof on to verifiers. Without a proof for a second, nothing is answered from memory: servers read the database, and verifiers ask or refuse.',
  shapes: [
    admin,
    down(40, admin, primary),
    primary,
    down(40, primary, servers, { label: ['notification,', 'milliseconds', 'after the commit'] }),
    down(215, primary, servers, {
      dashed: true,
      label: ['heartbeat, about', '4 times a second:', 'nothing is missing'],
    }),
    servers,
    down(40, servers, verifiers, { label: ['stream of', 'changes'] }),
    down(215, servers, verifiers, {
      dashed: true,
      label: ['proof, after each', 'heartbeat'],
    }),
    verifiers,
    unproven,
  ],
};
