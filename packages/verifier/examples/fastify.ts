import { type Caller, createVerifier } from '@gatehouse/verifier';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

const verifier = createVerifier({
  url: process.env['GATEHOUSE_URL'] ?? 'http://localhost:8080',
  credential: process.env['GATEHOUSE_CREDENTIAL'] ?? '',
});
const orders: { id: number; account: number; item: string }[] = [];
const app = fastify();
app.decorateRequest('caller');
app.addHook('onClose', () => verifier.close());

/** Refuses requests whose token lacks the scope. */
const requires = (scope: string) => ({
  async onRequest(request: FastifyRequest, reply: FastifyReply) {
    const verdict = await verifier.verify(request.raw, { scope, clientAddress: request.ip });
    if (!verdict.ok) return reply.send(verdict.response());
    request.setDecorator('caller', verdict.caller);
  },
});

app.get('/orders', requires('orders:read'), async (request) => {
  const { account } = request.getDecorator<Caller>('caller');
  return orders.filter((order) => order.account === account);
});

app.post('/orders', requires('orders:write'), async (request, reply) => {
  const { account } = request.getDecorator<Caller>('caller');
  const order = { id: orders.length + 1, account, item: 'a book' };
  orders.push(order);
  return reply.code(201).send(order);
});

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) });
process.once('SIGTERM', () => app.close());
