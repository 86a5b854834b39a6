// Bundles programs of this checkout: `node tooling/bundle/src/main.ts [--wait] [NAME...]`. Default: all that are not current.
// Without --wait it fails while another process bundles.
import { bundleCheckout } from './bundle-checkout.ts';
import { PROGRAM_NAMES } from './bundle-program.ts';

const args = process.argv.slice(2);
const patience = args.includes('--wait') ? undefined : 0;
const names = PROGRAM_NAMES.filter((name) => args.includes(name));
await bundleCheckout(names.length > 0 ? names : PROGRAM_NAMES, patience);
