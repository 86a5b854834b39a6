import { type Gateway, replaced } from './gateway.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Runs the configuration as a file that another one includes, as Debian does, in a single process. */
export const nginx: Gateway = {
  program: 'nginx',
  file: 'nginx.conf',
  place(shown, { gateway, gatehouse, away, service }) {
    const plain = replaced(replaced(shown, 'listen 443 ssl;', `listen ${gateway};`), /^ *ssl_.*\n/gm, '');
    const asked = replaced(replaced(plain, '192.0.2.11:8080', gatehouse), '192.0.2.12:8080', away);
    return replaced(asked, '192.0.2.21:3000', service);
  },
  files: (folder) => ({
    'main.conf': `daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr warn;
events {}
http {
  access_log off;
${TEMPORARY.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  include ${folder}/nginx.conf;
}
`,
  }),
  run: (folder) => ['-e', 'stderr', '-c', `${folder}/main.conf`],
};
