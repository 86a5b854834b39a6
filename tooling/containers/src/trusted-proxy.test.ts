import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createClientAddress } from '@gatehouse/front';
import { parseSettings } from '@gatehouse/server/settings';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './build-image.ts';

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: { readonly default?: { readonly ipv4_address?: string } };
}

/** Returns the configuration that Compose reads with these variables in its environment. */
function readCompose(variables: Readonly<Record<string, string>>) {
  const written = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  const text = written.replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name, otherwise) => variables[name] ?? otherwise,
  );
  const { services, networks } = parse(text, { merge: true });
  return {
    services: services as Readonly<Record<string, Service>>,
    subnet: networks.default.ipam.config[0].subnet as string,
  };
}

function addressesOf(subnet: string): readonly string[] {
  const prefix = /^(\d+\.\d+\.\d+)\.0\/24$/.exec(subnet)?.[1] ?? expect.fail(`${subnet} is no /24`);
  return Array.from({ length: 256 }, (_, last) => `${prefix}.${last}`);
}

const CLAIMED = '203.0.113.9';

describe.each([
  ['by default', {}],
  ['at other addresses', { SUBNET: '10.9.8.0/24', PROXY: '10.9.8.200' }],
])('in compose.yaml, %s,', (_, variables) => {
  const { services, subnet } = readCompose(variables);
  const proxy = services.haproxy?.networks?.default?.ipv4_address ?? '';
  const nodes = Object.entries(services).filter(
    ([, { environment }]) => environment?.TRUST_PROXY !== undefined,
  );

  test('haproxy has an address of its own, which Docker gives to no other container', () => {
    // It gives the first ones that are free.
    expect(addressesOf(subnet).indexOf(proxy)).toBeGreaterThan(100);
    expect(nodes.map(([name]) => name)).toEqual(['node1', 'node2', 'node3', 'gatehouse']);
  });

  test.each(nodes)(
    '%s believes haproxy, and no other address of the subnet: not the gateway’s',
    (_, service) => {
      const { environment = {} } = service;
      const settings = parseSettings({ TRUST_PROXY: environment.TRUST_PROXY });
      if (!settings.ok) return expect.fail(JSON.stringify(settings));
      const clientOf = createClientAddress(settings.value.TRUST_PROXY);
      const seen = (peer: string, forwarded: string) =>
        clientOf({
          socket: { remoteAddress: peer },
          headers: { 'x-forwarded-for': forwarded },
          // The address depends on no other part of a request.
        } as unknown as IncomingMessage);
      expect(seen(proxy, CLAIMED)).toBe(CLAIMED);
      for (const address of addressesOf(subnet).filter((each) => each !== proxy)) {
        expect(seen(address, CLAIMED)).toBe(address);
        // Requests through haproxy, even if it added to the field instead of replacing it.
        expect(seen(proxy, `${CLAIMED}, ${address}`)).toBe(address);
      }
    },
  );
});
