// Bundles both programs for the image: `node tooling/bundle/src/image.ts FOLDER`. Prints, as JSON, which libraries are
// in them and which are not.
import { bundleProduction } from './bundle-production.ts';

const [folder = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await bundleProduction(folder)));
