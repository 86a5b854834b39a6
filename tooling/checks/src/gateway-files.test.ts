import { readFileSync } from 'node:fs';
import { ROUTES } from '@gatehouse/api-contract';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { locationOf } from './documents.ts';

console.warn(
  'NOT STARTED: docs/use/gateways/traefik.yaml and envoy.yaml are only read here, because Debian has neither program. ' +
    'A server test starts nginx.conf and Caddyfile.',
);

const FOLDER = 'docs/use/gateways';
const FILES = ['nginx.conf', 'Caddyfile', 'traefik.yaml', 'envoy.yaml'];

const readFile = (file: string) => readFileSync(locationOf(`${FOLDER}/${file}`), 'utf8');

/** Parses a file in YAML; duplicate keys are errors. Each file has members of its own, at any depth. */
// biome-ignore lint/suspicious/noExplicitAny: the tests say what it has.
function readYaml(file: string): any {
  const document = parseDocument(readFile(file), { prettyErrors: true });
  expect(document.errors).toEqual([]);
  return document.toJS();
}

/** The headers with which Gatehouse tells a service whose token it was. */
const HEADERS = Object.keys(ROUTES.verifyScope.success.headers).map((name) => name.toLowerCase());

const { path } = ROUTES.verifyScope;

test.each(FILES)('%s asks the route of Gatehouse for one scope', (file) => {
  const asked = [...readFile(file).matchAll(/\/api\/v1\/[^\s";]*/g)].map(([address]) => address);
  expect(asked).toEqual([`${path}?scope=orders:read`]);
});

test.each(['nginx.conf', 'Caddyfile', 'envoy.yaml'])('%s names each header of the answer', (file) => {
  const text = readFile(file).toLowerCase();
  const named = new Set([...text.matchAll(/x-gatehouse-[a-z]+/g)].map(([name]) => name));
  expect([...named].toSorted()).toEqual(HEADERS.toSorted());
});

test('Caddyfile removes headers by a form that means the same in every version', () => {
  const lines = readFile('Caddyfile')
    .match(/^\s*request_header .*$/gm)
    ?.map((line) => line.trim());
  // Caddy 2.6 and 2.7 take an empty replacement for none, and set the header to the text of the pattern.
  expect(lines).toEqual(['request_header -*Gatehouse*', 'request_header -Connection']);
});

describe('traefik.yaml', () => {
  const { http } = readYaml('traefik.yaml');
  const { forwardAuth } = http.middlewares.gatehouse;

  test('has only options that Traefik 3 has: it does not start with others', () => {
    expect(Object.keys(http)).toEqual(['routers', 'middlewares', 'services']);
    expect(Object.keys(forwardAuth)).toEqual([
      'address',
      'authRequestHeaders',
      'authResponseHeadersRegex',
      'trustForwardHeader',
    ]);
    expect(forwardAuth).toMatchObject({ authRequestHeaders: ['Authorization'], trustForwardHeader: false });
  });

  test('asks Gatehouse after Connection was removed, and names only what it defines', () => {
    const { middlewares, service } = http.routers.orders;
    expect(middlewares).toEqual(['unnamed', 'gatehouse']);
    expect(Object.keys(http.middlewares)).toEqual(middlewares);
    expect(Object.keys(http.services)).toEqual([service]);
    expect(http.middlewares.unnamed.headers.customRequestHeaders).toEqual({ Connection: '' });
  });

  test('takes each header of the answer, and removes every other spelling of it', () => {
    const [, flag, source = ''] = /^\(\?(i)\)(.*)$/.exec(forwardAuth.authResponseHeadersRegex) ?? [];
    const matches = new RegExp(source, flag);
    const spellings = HEADERS.flatMap((name) =>
      ['-', '_', '.', '~'].map((dash) => name.replaceAll('-', dash)),
    );
    for (const name of [...spellings, 'X-Gatehouse_User', 'X_gatehouse-user']) expect(name).toMatch(matches);
    for (const name of ['X-Forwarded-For', 'Authorization']) expect(name).not.toMatch(matches);
  });
});

describe('envoy.yaml', () => {
  const { listeners, clusters } = readYaml('envoy.yaml').static_resources;
  const [orders, question] = listeners.map(
    // A listener of Envoy has a type for each filter, and none is at hand.
    // biome-ignore lint/suspicious/noExplicitAny: the tests say what it has.
    (listener: any) => listener.filter_chains[0].filters[0].typed_config,
  );
  // The same is true of its connection manager.
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what it has.
  const filtersOf = (manager: any) => manager.http_filters.map(({ name }: { name: string }) => name);
  const authorization = orders.http_filters[1].typed_config;

  test('removes what the client claims before Gatehouse is asked, and asks before the request goes on', () => {
    const names = ['lua', 'ext_authz', 'router'].map((name) => `envoy.filters.http.${name}`);
    expect(filtersOf(orders)).toEqual(names);
    expect(orders.common_http_protocol_options).toEqual({ headers_with_underscores_action: 'DROP_HEADER' });
  });

  test('lets no request pass if Gatehouse does not answer', () => {
    expect(authorization).toMatchObject({
      failure_mode_allow: false,
      status_on_error: { code: 'ServiceUnavailable' },
    });
  });

  test('passes the headers of the answer to the service, and the challenge to the client', () => {
    const { allowed_upstream_headers: toService, allowed_client_headers: toClient } =
      authorization.http_service.authorization_response;
    expect(toService.patterns).toEqual(HEADERS.map((exact) => ({ exact })));
    expect(toClient.patterns).toContainEqual({ exact: 'www-authenticate' });
  });

  test('asks by its second listener, because Envoy asks with the method of the client and takes only 200', () => {
    const { cluster } = authorization.http_service.server_uri;
    const asked = clusters.find(({ name }: { name: string }) => name === cluster);
    const [{ endpoint }] = asked.load_assignment.endpoints[0].lb_endpoints;
    expect(endpoint.address).toEqual(listeners[1].address);
    expect(filtersOf(question)).toEqual(['envoy.filters.http.lua', 'envoy.filters.http.router']);
    const { inline_string: code } = question.http_filters[0].typed_config.default_source_code;
    expect(code).toContain('replace(":method", "GET")');
    expect(code).toContain('replace(":status", "200")');
  });

  test('routes to clusters that it defines', () => {
    for (const { route_config } of [orders, question]) {
      const [{ route }] = route_config.virtual_hosts[0].routes;
      expect(clusters.map(({ name }: { name: string }) => name)).toContain(route.cluster);
    }
    for (const { name, load_assignment } of clusters) expect(load_assignment.cluster_name).toBe(name);
  });
});
