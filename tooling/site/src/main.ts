// npm run docs:site: builds the documentation site into dist/site. With `-- --serve`, it then serves it on this machine.
import { join, relative } from 'node:path';
import { buildSite } from './build-site.ts';
import { readOptions, type SiteOptions } from './options.ts';
import { listPages, ROOT } from './pages.ts';
import { serveSite } from './serve-site.ts';

const { base, folder, port } = optionsOrExit();
await buildSite({ base, folder });
console.log(`${relative(ROOT, folder)}: ${listPages().size} pages, for any host, at ${base}`);
if (port !== undefined) {
  const { url } = await serveSite(folder, base, port);
  console.log(`${url} (Ctrl-C ends it)`);
}

function optionsOrExit(): SiteOptions {
  try {
    return readOptions(process.argv.slice(2), join(ROOT, 'dist/site'));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
