// The minimum cost of a response in Node: the same body for every request.
import { createServer } from 'node:http';
import { announce, given } from './announce.ts';

const body = given('BODY');

announce(
  createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(body);
  }),
);
