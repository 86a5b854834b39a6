import type { Diagram } from '../diagram.ts';
import { box, down, up } from '../shapes.ts';

const clients = box('plain', 'Programs with tokens', ['call your services'], { y: 8 });
const service = box(
  'plain',
  'Your service',
  ['on Node, with the', 'verifier, which', 'decides from', 'memory'],
  {
    x: 8,
    y: clients.bottom + 34,
    width: 184,
  },
);
const gateway = box(
  'plain',
  'Gateway',
  ['nginx, Caddy,', 'Traefik or Envoy;', 'asks about each', 'request'],
  {
    x: 208,
    y: clients.bottom + 34,
    width: 184,
  },
);
const behind = box('plain', 'Your service', ['reads user', 'and scopes', 'in headers'], {
  x: 264,
  y: gateway.bottom + 34,
  width: 128,
});
const gatehouse = box('ours', 'Gatehouse', ['one server, or several'], { y: behind.bottom + 18 });

export const topologyServices: Diagram = {
  name: 'topology-services',
  title: 'Services that accept tokens',
  text: 'Programs with tokens call your services. A service on Node has the verifier, which decides from memory: it asks Gatehouse once about each token, and follows a stream of changes with proofs. In front of another service, a gateway such as nginx, Caddy, Traefik or Envoy asks Gatehouse about each request, and passes the user and the scopes on in headers.',
  shapes: [
    clients,
    down(100, clients, service),
    down(300, clients, gateway),
    service,
    gateway,
    down(328, gateway, behind),
    behind,
    down(24, service, gatehouse, { label: ['asks', 'once', 'for each', 'token'] }),
    up(104, gatehouse, service, { dashed: true, label: ['stream of', 'changes', 'with', 'proofs'] }),
    down(234, gateway, gatehouse),
    gatehouse,
  ],
};
