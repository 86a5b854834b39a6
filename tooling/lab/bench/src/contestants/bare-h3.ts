// The framework of our server: one route, the same response for every id.
import { H3, serve } from 'h3';
import { given, print } from './announce.ts';

const organization = JSON.parse(given('BODY'));

const app = new H3().get('/api/v1/orgs/:id', () => organization);
const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true });
await server.ready();
print({ url: `${server.url}`.replace(/\/$/, '') });
