import { type Gateway, replaced } from './gateway.ts';

/** Runs the configuration without TLS, and without Caddy's port for administration. */
export const caddy: Gateway = {
  program: 'caddy',
  file: 'Caddyfile',
  place(shown, { gateway, gatehouse, away, service }) {
    const plain = replaced(shown, /^orders\.example \{$/gm, `http://${gateway} {`);
    const asked = replaced(replaced(plain, '192.0.2.11:8080', gatehouse), '192.0.2.12:8080', away);
    return `{\n\tadmin off\n}\n${replaced(asked, '192.0.2.21:3000', service)}`;
  },
  run: () => ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'],
};
