import { createVerifier } from '@gatehouse/verifier';
import express, { type RequestHandler } from 'express';

const verifier = createVerifier({
  url: process.env['GATEHOUSE_URL'] ?? 'http://localhost:8080',
  credential: process.env['GATEHOUSE_CREDENTIAL'] ?? '',
});
const orders: { id: number; account: number; item: string }[] = [];
const app = express();

/** Refuses requests whose token lacks the scope. */
const requires =
  (scope: string): RequestHandler =>
  async (request, response, next) => {
    const verdict = await verifier.verify(request, { scope, clientAddress: request.ip });
    if (!verdict.ok) return verdict.send(response);
    response.locals['caller'] = verdict.caller;
    next();
  };

app.get('/orders', requires('orders:read'), (_request, response) => {
  const { account } = response.locals['caller'];
  response.json(orders.filter((order) => order.account === account));
});

app.post('/orders', requires('orders:write'), (_request, response) => {
  const { account } = response.locals['caller'];
  const order = { id: orders.length + 1, account, item: 'a book' };
  orders.push(order);
  response.status(201).json(order);
});

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
process.once('SIGTERM', () => server.close(() => verifier.close()));
