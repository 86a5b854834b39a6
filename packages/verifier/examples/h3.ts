import { type Caller, createVerifier } from '@gatehouse/verifier';
import { defineMiddleware, getRequestIP, H3, type H3Event, serve } from 'h3';

const verifier = createVerifier({
  url: process.env['GATEHOUSE_URL'] ?? 'http://localhost:8080',
  credential: process.env['GATEHOUSE_CREDENTIAL'] ?? '',
});
const orders: { id: number; account: number; item: string }[] = [];
const app = new H3();

/** Refuses requests whose token lacks the scope. */
const requires = (scope: string) => ({
  middleware: [
    defineMiddleware(async (event, next) => {
      const verdict = await verifier.verify(event.req, { scope, clientAddress: getRequestIP(event) });
      if (!verdict.ok) return verdict.response();
      event.context['caller'] = verdict.caller;
      return next();
    }),
  ],
});

app.get('/orders', listOrders, requires('orders:read'));
app.post('/orders', createOrder, requires('orders:write'));

function listOrders({ context }: H3Event) {
  const { account } = context['caller'] as Caller;
  return orders.filter((order) => order.account === account);
}

function createOrder({ context, res }: H3Event) {
  const { account } = context['caller'] as Caller;
  const order = { id: orders.length + 1, account, item: 'a book' };
  orders.push(order);
  res.status = 201;
  return order;
}

const port = Number(process.env['PORT'] ?? 3000);
const server = serve(app, { hostname: '127.0.0.1', port, gracefulShutdown: false });
process.once('SIGTERM', async () => {
  await server.close();
  await verifier.close();
});
