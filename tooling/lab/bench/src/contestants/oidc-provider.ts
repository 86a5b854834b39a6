// An authorization server of the registry, with everything in memory: it issues one token, and introspects it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { given, print } from './announce.ts';

const scope = given('SCOPE');
const SECRET = 'a-secret-of-forty-characters-or-even-more';
const client = (client_id: string) => ({
  client_id,
  client_secret: SECRET,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
});

const provider = new Provider('http://127.0.0.1', {
  clients: [client('shop'), client('orders')],
  scopes: [scope],
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    devInteractions: { enabled: false },
  },
});

const basic = (id: string) => `Basic ${Buffer.from(`${id}:${SECRET}`).toString('base64')}`;

const server = createServer(provider.callback());
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issued = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { authorization: basic('shop') },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  const { access_token: token } = (await issued.json()) as { readonly access_token: string };
  print({
    url: `${url}/token/introspection`,
    request: { path: '/', headers: { authorization: `Bearer ${token}` } },
    authorization: basic('orders'),
  });
});
