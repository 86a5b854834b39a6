import type { Diagram } from '../diagram.ts';
import { box, down, frame, up } from '../shapes.ts';

const client = box('plain', 'Client', ['sends a request with its token'], { y: 8 });
const verifier = box(
  'ours',
  'Verifier',
  [
    '1. A forged token is refused: no call.',
    '2. A token that it does not know: it asks.',
    '3. A known token: memory, in microseconds.',
  ],
  { x: 20, y: client.bottom + 66, width: 360 },
);
const service = frame('Your service', [verifier], { y: client.bottom + 34 });
const gatehouse = box('ours', 'Gatehouse', ['knows within milliseconds what changed'], {
  y: service.bottom + 76,
});
const unproven = box(
  'warning',
  'No proof for a second',
  ['Memory decides nothing. The verifier asks', 'about each request, or answers 503.'],
  { y: gatehouse.bottom + 18 },
);

export const verifierDiagram: Diagram = {
  name: 'verifier',
  title: 'The verifier in a service',
  text: 'A client sends a request with its token to your service. The verifier in the service refuses a forged token without a call. It asks Gatehouse once about a token that it does not know, and decides later requests from memory, in microseconds. Gatehouse streams to it what changes, within milliseconds, and proves several times a second that it told everything. Without a proof for a second, memory decides nothing: the verifier asks about each request, or answers 503.',
  shapes: [
    client,
    service,
    down(300, client, verifier),
    verifier,
    down(40, service, gatehouse, { label: ['a question,', 'once for each', 'token'] }),
    up(200, gatehouse, service, {
      dashed: true,
      label: ['stream: each', 'change, and about', '4 proofs a second'],
    }),
    gatehouse,
    unproven,
  ],
};
