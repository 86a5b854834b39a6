import { createServer } from 'node:http';
import { createVerifier } from '@gatehouse/verifier';

const verifier = createVerifier({
  url: process.env['GATEHOUSE_URL'] ?? 'http://localhost:8080',
  credential: process.env['GATEHOUSE_CREDENTIAL'] ?? '',
});
const orders: { id: number; account: number; item: string }[] = [];

const server = createServer(async (request, response) => {
  const isNew = request.method === 'POST';
  const verdict = await verifier.verify(request, { scope: isNew ? 'orders:write' : 'orders:read' });
  if (!verdict.ok) return verdict.send(response);

  const { account } = verdict.caller;
  if (isNew) orders.push({ id: orders.length + 1, account, item: 'a book' });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(orders.filter((order) => order.account === account)));
});

server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
process.once('SIGTERM', () => server.close(() => verifier.close()));
