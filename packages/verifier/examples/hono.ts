import { type Caller, createVerifier } from '@gatehouse/verifier';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';

const verifier = createVerifier({
  url: process.env['GATEHOUSE_URL'] ?? 'http://localhost:8080',
  credential: process.env['GATEHOUSE_CREDENTIAL'] ?? '',
});
const orders: { id: number; account: number; item: string }[] = [];
const app = new Hono();

/** Refuses requests whose token lacks the scope. */
const requires = (scope: string) =>
  createMiddleware<{ Variables: { caller: Caller } }>(async (context, next) => {
    const clientAddress = getConnInfo(context).remote.address;
    const verdict = await verifier.verify(context.req.raw, { scope, clientAddress });
    if (!verdict.ok) return verdict.response();
    context.set('caller', verdict.caller);
    return next();
  });

app.get('/orders', requires('orders:read'), (context) => {
  const { account } = context.get('caller');
  return context.json(orders.filter((order) => order.account === account));
});

app.post('/orders', requires('orders:write'), (context) => {
  const { account } = context.get('caller');
  const order = { id: orders.length + 1, account, item: 'a book' };
  orders.push(order);
  return context.json(order, 201);
});

const port = Number(process.env['PORT'] ?? 3000);
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port });
process.once('SIGTERM', () => server.close(() => verifier.close()));
